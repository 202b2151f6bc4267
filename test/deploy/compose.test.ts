/** compose.yaml and compose.cluster.yaml. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { loadConfig } from '#config';
import { computeMemoryMb, findSettingFaults, parseMemoryMb } from './check-settings.ts';
import {
  findComposeFaults,
  loadCompose,
  loadExample,
  type ComposeFile,
  type Service,
} from './compose-file.ts';

const FILES = ['compose.yaml', 'compose.cluster.yaml'] as const;
const REPOSITORY = new URL('../../', import.meta.url);
const isOwn = ({ image }: Service): boolean => image.startsWith('utility-api:');

const listOwn = ({ services }: ComposeFile): Service[] => Object.values(services).filter(isOwn);

for (const name of FILES)
  describe(name, () => {
    const file = loadCompose(name);

    it('is valid by the schema of the Compose Specification', () => {
      assert.deepEqual(findComposeFaults(file), []);
      assert.match(file.name, /^utility-api(-cluster)?$/);
    });

    it('every variable of the service is a setting, and its value starts the service', () => {
      assert.ok(listOwn(file).length > 0);
      for (const service of listOwn(file)) {
        assert.equal(service.env_file, '.env');
        // The files of the secrets exist in the container.
        const { DATABASE_URL_FILE: _database, REDIS_URL_FILE: _redis, ...environment } = service.environment;
        assert.deepEqual(findSettingFaults({ ...loadExample(), ...environment }), []);
      }
    });

    it('no service has capabilities, new privileges or a writable root, and each has limits', () => {
      for (const [title, service] of Object.entries(file.services)) {
        assert.deepEqual(service.cap_drop, ['ALL'], title);
        assert.ok(service.security_opt.includes('no-new-privileges:true'), title);
        assert.equal(service.read_only, true, title);
        assert.ok(service.mem_limit && service.pids_limit, title);
        assert.ok(service.logging.options['max-size'] && service.logging.options['max-file'], title);
        assert.equal(service.restart, 'unless-stopped', title);
      }
    });

    it('images have the tag of a release, and the one of the service is this version', () => {
      const { version } = JSON.parse(readFileSync(new URL('package.json', REPOSITORY), 'utf8')) as {
        version: string;
      };
      for (const { image } of Object.values(file.services))
        assert.match(image, /^[a-z0-9./-]+:\d+(\.\d+){1,2}(-bookworm)?$/);
      for (const { image } of listOwn(file)) assert.equal(image, `utility-api:${version}`);
    });

    it('the memory of the service holds what its settings allow, without swap', () => {
      for (const { environment, mem_limit, memswap_limit } of listOwn(file)) {
        const { PDF_SLOTS, PDF_RENDERER_MEMORY_MB } = environment;
        const config = loadConfig({ PDF_SLOTS, PDF_RENDERER_MEMORY_MB });
        assert.ok(parseMemoryMb(mem_limit) >= computeMemoryMb(config));
        assert.equal(memswap_limit, mem_limit);
      }
    });

    it('the service has the time to drain before it is killed', () => {
      for (const { environment, stop_grace_period = '' } of listOwn(file)) {
        const { shutdownDelayMs } = loadConfig({ SHUTDOWN_DELAY_MS: environment['SHUTDOWN_DELAY_MS'] });
        assert.ok(Number.parseInt(stop_grace_period, 10) * 1000 >= shutdownDelayMs + 10_000);
      }
    });

    it('ports are published on loopback, except those of TLS', () => {
      for (const [title, { ports = [] }] of Object.entries(file.services))
        for (const port of ports)
          if (title !== 'caddy') assert.match(port, /^127\.0\.0\.1:3000:(3000|80)$/, title);
    });
  });

describe('compose.cluster.yaml', () => {
  const file = loadCompose('compose.cluster.yaml');
  const config = readFileSync(new URL('deploy/nginx.cluster.conf', REPOSITORY), 'utf8');

  it('nginx has the addresses of the replicas, and they trust its address alone', () => {
    const addresses = listOwn(file).map(({ networks }) => networks?.['front']?.ipv4_address);
    const servers = [...config.matchAll(/^ *server ([\d.]+):3000 /gm)].map(([, address]) => address);
    assert.deepEqual(addresses, servers);
    assert.equal(addresses.length, 3);
    const proxy = file.services['nginx']?.networks?.['front']?.ipv4_address;
    for (const { environment } of listOwn(file)) assert.equal(environment['TRUST_PROXY'], `${proxy}/32`);
  });

  it('nginx has the rules of deploy/nginx.conf, which the tests of test/cluster/ run', () => {
    const strip = (text: string): string[] =>
      text
        .slice(text.indexOf('upstream'))
        .replaceAll(/server [\d.]+:\d+ /g, 'server REPLICA ')
        .split('\n')
        .map((line) => line.trim())
        .filter(
          (line) => !/^#|^$|^set_real_ip_from 172\.30\.65\.1;|^real_ip_header X-Forwarded-For;/.test(line),
        );
    const tested = readFileSync(new URL('deploy/nginx.conf', REPOSITORY), 'utf8');
    assert.deepEqual(strip(config), strip(tested));
  });

  it('idle connections of nginx end before a replica stops', () => {
    const seconds = Number(/keepalive_timeout (\d+)s;/.exec(config)?.[1]);
    for (const { environment } of listOwn(file))
      assert.ok(Number(environment['SHUTDOWN_DELAY_MS']) > seconds * 1000);
  });

  it('the databases are on an internal network, and start before the replicas', () => {
    assert.equal(file.networks['storage']?.internal, true);
    for (const name of ['postgres', 'valkey']) {
      assert.deepEqual(file.services[name]?.networks, ['storage']);
      for (const replica of listOwn(file))
        assert.equal(replica.depends_on?.[name]?.condition, 'service_healthy');
    }
  });
});

it('the health check of the service needs /readyz and, if it serves PDF, a browser', async () => {
  const [test, ...others] = FILES.flatMap((name) =>
    listOwn(loadCompose(name)).map(({ healthcheck }) => healthcheck?.test),
  );
  for (const other of others) assert.deepEqual(other, test);
  const [kind, program, ...args] = test ?? [];
  assert.deepEqual([kind, program], ['CMD', 'node']);
  const check = async (status: number, parts: object): Promise<unknown> => {
    const server = createServer((_, reply) => reply.writeHead(status).end(JSON.stringify({ parts })));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = args.map((text) => text.replace('http://127.0.0.1:3000', url));
    const child = spawn(process.execPath, own, { stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as unknown[];
    await once(server.close(), 'close');
    return code;
  };
  assert.equal(await check(200, { browser: { ok: true } }), 0);
  assert.equal(await check(200, {}), 0);
  assert.equal(await check(200, { browser: { ok: false } }), 1);
  assert.equal(await check(503, { browser: { ok: true } }), 1);
});

it('errors planted into a compose file are found', () => {
  const file = loadCompose('compose.yaml');
  const service = file.services['utility-api'];
  assert.ok(service);
  Object.assign(service, { readonly: true, pids_limit: ['many'] });
  assert.deepEqual(findComposeFaults(file), [
    '/services/utility-api must NOT have additional properties: readonly',
    '/services/utility-api/pids_limit must be number,string',
  ]);
});
