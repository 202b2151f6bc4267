/** Promises about TLS to PostgreSQL: the server's certificate is for one address, and signed by itself. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openStorage } from '#storage';
import { type OwnPostgres, skipOwnPostgres, startPostgres, TLS_ADDRESS } from '../../support/postgres.ts';
import { TEST_CERTIFICATE } from '../../support/tls-identity.ts';

describe('sslmode in DATABASE_URL', { skip: skipOwnPostgres }, () => {
  let server: OwnPostgres;
  let base: string;
  let folder: string;
  let ca: string;
  before(async () => {
    server = await startPostgres();
    base = await server.createDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tls-'));
    ca = join(folder, 'ca.pem');
    await writeFile(ca, TEST_CERTIFICATE);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Opens the database with these parameters. Returns whether its connections use TLS. */
  async function connect(host: string, parameters: Record<string, string>): Promise<boolean> {
    const url = new URL(base);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const postgres = { url: url.href, poolSize: 1, statementTimeoutMs: 5_000, now: Date.now };
    const storage = await openStorage({ dataDir: '', postgres, watchIntervalMs: 0 });
    const rows = await server.query(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'utility-api'`,
    );
    await storage.close();
    return rows.length > 0 && rows.every(({ ssl }) => ssl === true);
  }

  it('require and verify-full accept a certificate of a known CA for the host', async () => {
    for (const sslmode of ['require', 'verify-full'])
      assert.equal(await connect(TLS_ADDRESS, { sslmode, sslrootcert: ca }), true, sslmode);
  });

  it('require and verify-full refuse a certificate of an unknown CA, or for another host', async () => {
    for (const sslmode of ['require', 'verify-full']) {
      await assert.rejects(connect(TLS_ADDRESS, { sslmode }), /cannot be used: self-signed certificate/);
      await assert.rejects(connect('127.0.0.1', { sslmode, sslrootcert: ca }), /does not match certificate/);
    }
  });

  it('no-verify encrypts without verification; disable, and no sslmode, do not encrypt', async () => {
    assert.equal(await connect('127.0.0.1', { sslmode: 'no-verify' }), true);
    assert.equal(await connect('127.0.0.1', { sslmode: 'disable' }), false);
    assert.equal(await connect('127.0.0.1', {}), false);
  });

  it('a file that does not exist is an error that names it', async () => {
    const sslrootcert = join(folder, 'missing.pem');
    await assert.rejects(connect(TLS_ADDRESS, { sslmode: 'verify-full', sslrootcert }), /missing\.pem/);
  });
});
