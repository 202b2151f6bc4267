/** Makes images that replace the base images of the Dockerfile: the smoke test has no registry of images. */
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, run } from './run-command.ts';
import type { BaseImage } from './dockerfile.ts';

/**
 * Makes the images in the storage of buildah: each is a Debian root of the release in its tag, and `node` has
 * the Node that runs this script and the npm of this machine. `buildah` has the arguments that select the
 * storage.
 */
export function makeBaseImages(
  images: readonly BaseImage[],
  folder: string,
  buildah: readonly string[],
): void {
  for (const suite of new Set(images.map((image) => image.suite))) {
    const archive = join(folder, `${suite}.tar`);
    run('mmdebstrap', ['--quiet', '--variant=minbase', suite, archive, ...listSources(suite)]);
    for (const image of images.filter((image) => image.suite === suite)) make(image, archive, buildah);
  }
}

function make({ reference, repository, tag }: BaseImage, archive: string, buildah: readonly string[]): void {
  const container = capture('buildah', [...buildah, 'from', 'scratch']);
  const root = capture('buildah', [...buildah, 'mount', container]);
  run('tar', ['--extract', '--file', archive, '--directory', root]);
  if (repository === 'node') installNode(root, tag);
  run('buildah', [
    ...buildah,
    'config',
    '--env',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    container,
  ]);
  run('buildah', [...buildah, 'commit', '--quiet', '--rm', container, `docker.io/library/${reference}`]);
}

function installNode(root: string, tag: string): void {
  if (!`v${tag}`.startsWith(`${process.version}-`))
    throw new Error(
      `the Dockerfile has node:${tag}, this is Node ${process.version}: run it with that version`,
    );
  const target = join(root, 'usr/local');
  cpSync(process.execPath, join(target, 'bin/node'));
  const npm = dirname(dirname(realpathSync(capture('sh', ['-c', 'command -v npm']))));
  mkdirSync(join(target, 'lib/node_modules'), { recursive: true });
  cpSync(npm, join(target, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(target, 'bin', name));
  // Node's own image has it for the same reason.
  if (!existsSync(join(root, 'usr/lib/x86_64-linux-gnu/libatomic.so.1')))
    run('chroot', [
      root,
      'sh',
      '-c',
      'apt-get update -q && apt-get install -q -y --no-install-recommends libatomic1 libstdc++6',
    ]);
}

/** Lists the sources of a release on the mirrors that this machine uses, as lines of sources.list. */
function listSources(suite: string): string[] {
  const own = capture('sh', ['-c', '. /etc/os-release; echo $VERSION_CODENAME']);
  const lines = capture('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(CODENAME)',
    'Created-By: Packages',
    'Origin: Debian',
  ]).split('\n');
  const known = new Set(lines.filter((line) => line.endsWith(own) || line.includes(` ${own}-`)));
  const sources = [...known].map((line) => {
    const [uri = '', codename = ''] = line.split(' ');
    return `deb ${uri} ${codename.replace(own, suite)} main`;
  });
  if (sources.length === 0) throw new Error(`apt knows no mirror of Debian ${own} on this machine`);
  return sources;
}
