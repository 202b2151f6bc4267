import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '#storage';
import { describeQuotas } from './quota-contract.ts';

describeQuotas('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quotas-'));
  const [here, there] = [await openStorage({ dataDir }), await openStorage({ dataDir })];
  return {
    here,
    there,
    close: async () => {
      await here.close();
      await there.close();
      await rm(dataDir, { recursive: true });
    },
  };
});
