import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '#storage';
import { describeStorage } from './storage-contract.ts';

describeStorage('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-'));
  const storage = await openStorage({ dataDir });
  return {
    storage,
    close: async () => {
      await storage.close();
      await rm(dataDir, { recursive: true });
    },
  };
});
