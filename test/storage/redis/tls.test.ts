/** TLS by the URL: rediss:// */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { findFreePorts } from '../../support/free-ports.ts';
import { type RedisServer, skipRedis, startRedis } from '../../support/redis.ts';
import { openReplica } from '../../support/replicas.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls-identity.ts';

/** The address that the certificate names, and one that it does not. */
const [NAMED, OTHER] = ['127.93.184.14', '127.0.0.1'];
const noon = Date.UTC(2026, 0, 1, 12);

describe('rediss://', { skip: skipRedis }, () => {
  const trusted = tls.getCACertificates();
  let server: RedisServer;
  let folder: string;
  let port = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'utility-api-redis-tls-'));
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    await writeFile(certificate, TEST_CERTIFICATE);
    await writeFile(key, TEST_KEY);
    [port = 0] = await findFreePorts(1);
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    const listening = ['--tls-port', String(port), '--tls-auth-clients', 'no', '--bind', NAMED, OTHER];
    server = await startRedis([...listening, ...files]);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Opens a replica; returns the reason why it counts alone, null if it shares counts over TLS. */
  async function findOutage(host: string): Promise<string | null> {
    await using replica = await openReplica({ url: `rediss://${host}:${port}`, serverTimeMs: () => noon });
    assert.ok((await replica.counter.consume('k', 60, 1, noon)).admitted);
    if (replica.link.outage === null) assert.ok(replica.link.messages.isListening);
    return replica.link.outage;
  }

  it('a certificate of an unknown CA, or for another host, is refused: the replica counts alone and says why', async () => {
    assert.match((await findOutage(NAMED)) ?? '', /self-signed certificate/);
    tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    try {
      assert.match((await findOutage(OTHER)) ?? '', /does not match certificate/);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
    assert.equal((await server.client.keys('*:units:*')).length, 0);
  });

  it('a certificate of a known CA for the host is accepted', async () => {
    tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    try {
      assert.equal(await findOutage(NAMED), null);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
    assert.equal((await server.client.keys('*:units:*')).length, 1);
  });
});
