import { after, before, describe } from 'node:test';
import { openStorage } from '#storage';
import { openPostgresServer, skipPostgres, type TestPostgres } from '../../support/postgres.ts';
import { describeStorage } from '../storage-contract.ts';

describe('PostgreSQL', { skip: skipPostgres }, () => {
  let server: TestPostgres;
  before(async () => {
    server = await openPostgresServer();
  });
  after(() => server[Symbol.asyncDispose]());

  describeStorage('PostgreSQL', async () => {
    const url = await server.createDatabase();
    const storage = await openStorage({
      dataDir: '',
      postgres: { url, poolSize: 10, statementTimeoutMs: 5_000, now: Date.now },
    });
    return { storage, close: () => storage.close() };
  });
});
