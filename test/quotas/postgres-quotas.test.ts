import { describe } from 'node:test';
import { openStorage } from '#storage';
import { openPostgresServer, skipPostgres } from '../support/postgres.ts';
import { describeQuotas } from './quota-contract.ts';

describe('quotas and PostgreSQL', { skip: skipPostgres }, () => {
  describeQuotas('PostgreSQL', async () => {
    const server = await openPostgresServer();
    const url = await server.createDatabase();
    const options = { url, poolSize: 2, statementTimeoutMs: 5_000, now: Date.now };
    const open = () => openStorage({ dataDir: '', postgres: options });
    const [here, there] = [await open(), await open()];
    return {
      here,
      there,
      close: async () => {
        await here.close();
        await there.close();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});
