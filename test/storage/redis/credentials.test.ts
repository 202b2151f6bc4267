/** Promises about REDIS_URL: TLS, the certificates that are accepted, users and passwords. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect, promisify } from 'node:util';
import { findFreePorts } from '../../support/free-ports.ts';
import { type RedisServer, skipRedis, startRedis } from '../../support/redis.ts';
import { openReplica, waitUntil } from '../../support/replicas.ts';
import { TLS_ADDRESS } from '../../support/postgres.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls-identity.ts';
import { scaledMs } from '../../support/patience.ts';

const RECOVERY_MS = scaledMs(5_000);
const SECRET = 'a/password of@tests';

/** Connects, and uses a script: the connection works. */
async function tryUrl(url: string): Promise<number> {
  await using replica = await openReplica({ url });
  assert.equal(replica.link.outage, null);
  return (await replica.counter.consume('k', 60, 1, Date.now())).remaining;
}

describe('rediss:// in REDIS_URL', { skip: skipRedis }, () => {
  let folder: string;
  let ca: string;
  let server: RedisServer;
  /** Accepts only clients with a certificate, as Redis does by default. */
  let strictServer: RedisServer;
  let url: string;
  let strictUrl: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redis-tls-'));
    ca = join(folder, 'certificate.pem');
    await writeFile(ca, TEST_CERTIFICATE);
    await writeFile(join(folder, 'key.pem'), TEST_KEY);
    const [port, strictPort] = await findFreePorts(2);
    const identity = [
      '--tls-cert-file',
      ca,
      '--tls-key-file',
      join(folder, 'key.pem'),
      '--tls-ca-cert-file',
      ca,
    ];
    const start = (tlsPort: number | undefined, clients: string): Promise<RedisServer> => {
      const tls = ['--tls-port', String(tlsPort), '--tls-auth-clients', clients, ...identity];
      return startRedis(['--bind', '127.0.0.1', TLS_ADDRESS, ...tls]);
    };
    [server, strictServer] = await Promise.all([start(port, 'no'), start(strictPort, 'yes')]);
    url = `rediss://${TLS_ADDRESS}:${port}`;
    strictUrl = `rediss://${TLS_ADDRESS}:${strictPort}?sslrootcert=${ca}`;
  });
  after(async () => {
    await Promise.all([server, strictServer].map((each) => each?.[Symbol.asyncDispose]()));
    await rm(folder, { recursive: true });
  });

  it('accepts a certificate of the CA that sslrootcert names, for the host', async () => {
    assert.equal(await tryUrl(`${url}?sslrootcert=${ca}`), 59);
    assert.equal(await tryUrl(`${url.replace('rediss', 'REDISS')}?sslrootcert=${ca}`), 58);
  });

  it('accepts a certificate of the CA that NODE_EXTRA_CA_CERTS names', async () => {
    const replicas = new URL('../../support/replicas.ts', import.meta.url).href;
    const code = `import { openReplica } from '${replicas}';
      const replica = await openReplica({ url: '${url}' });
      console.log(replica.link.outage);
      await replica[Symbol.asyncDispose]();`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    assert.equal(stdout, 'null\n');
  });

  it('presents the certificate that sslcert and sslkey name', async () => {
    assert.equal(await tryUrl(`${strictUrl}&sslcert=${ca}&sslkey=${join(folder, 'key.pem')}`), 59);
  });

  const refused = [
    ['a certificate of an unknown CA', () => url, /self-signed certificate.*sslrootcert/],
    [
      'a certificate for another host',
      () => `${url.replace(TLS_ADDRESS, '127.0.0.1')}?sslrootcert=${ca}`,
      /IP: 127\.0\.0\.1 is not in the cert's list.*Correct the host/,
    ],
    [
      'a file that does not exist',
      () => `${url}?sslrootcert=${ca}.missing`,
      /the file of sslrootcert cannot be read: ENOENT.*certificate\.pem\.missing/,
    ],
    ['a file without a certificate', () => `${url}?sslrootcert=${join(folder, 'key.pem')}`, /self-signed/],
  ] as const;
  for (const [name, getUrl, message] of refused)
    it(`refuses ${name} at the start, and says what to correct`, async () => {
      await assert.rejects(tryUrl(getUrl()), (error: Error) => {
        assert.equal(error.name, 'RedisRefusal');
        assert.match(error.message, message);
        return true;
      });
    });

  it('reports that the server requires a certificate of the client', async () => {
    // The connection may be reset before the alert is read: then a later try reads it.
    const reports = openReplica({ url: strictUrl }).then(
      async (replica) => {
        await waitUntil(() => replica.log.some(({ message }) => message.startsWith('Redis refuses')));
        await replica[Symbol.asyncDispose]();
        return inspect(replica.log);
      },
      (error: Error) => error.message,
    );
    assert.match(await reports, /certificate required.*sslcert/);
  });
});

describe('the user and the password of REDIS_URL', { skip: skipRedis }, () => {
  const encoded = encodeURIComponent(SECRET);
  const rules = ['~test:*', '&test:*', '+@all', '-@dangerous', '+info'];
  let server: RedisServer;
  before(async () => {
    server = await startRedis();
    await server.client.acl('SETUSER', 'utility', 'on', `>${SECRET}`, ...rules);
    await server.client.acl('SETUSER', 'default', 'off');
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are those of an ACL that allows only the prefix, without dangerous commands', async () => {
    assert.equal(await tryUrl(server.url.replace('//', `//utility:${encoded}@`)), 59);
  });

  it('are not in the error of a start that they do not allow', async () => {
    for (const login of [`utility:${encoded}x`, `nobody:${encoded}`, `:${encoded}`])
      await assert.rejects(tryUrl(server.url.replace('//', `//${login}@`)), (error: Error) => {
        assert.match(error.message, /WRONGPASS.*Correct the user, the password/);
        const text = inspect(error, { depth: 9, showHidden: true });
        assert.ok(!text.includes(SECRET) && !text.includes(encoded), text);
        return true;
      });
  });

  it('that are changed in an outage: the log says so once without them, limits hold, and it recovers', async () => {
    const url = server.url.replace('//', `//utility:${encoded}@`);
    await using replica = await openReplica({ url, timeoutMs: 50 });
    // The test's own connection is that of a user who is off now, and stays.
    await server.client.acl('SETUSER', 'utility', 'resetpass', '>another');
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    const findRefusals = (): object[] =>
      replica.log.filter(({ message }) => message.startsWith('Redis refuses'));
    await waitUntil(() => findRefusals().length > 0);
    const decisions = [];
    for (let n = 0; n < 80; n += 1) decisions.push(await replica.counter.consume('x', 60, 1, Date.now()));
    assert.ok(decisions.filter(({ admitted }) => admitted).length <= 60);
    assert.equal(decisions.at(-1)?.admitted, false);
    assert.match(inspect(replica.log), /WRONGPASS/);
    assert.ok(!inspect(replica.log, { depth: 9 }).includes(SECRET));
    await server.client.acl('SETUSER', 'utility', `>${SECRET}`);
    await waitUntil(() => replica.link.outage === null, RECOVERY_MS);
    assert.equal(findRefusals().length, 1);
  });
});
