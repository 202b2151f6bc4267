/** Runs the service with many keys of one plan. Sends its port and the keys to the parent process. */
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { createApp } from '../../src/app/create-app.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const ACCOUNTS = 30;
const KEYS_PER_ACCOUNT = 20;

const config = loadConfig();
const app = await createApp(config);
const { port } = await app.listen();
const { accounts, keys } = app.storage;
const secrets: string[] = [];
for (let n = 0; n < ACCOUNTS; n++) {
  const email = `bench${n}@example.com`;
  const account = await createAccount(accounts, config.plans, { email }, Date.now());
  for (let key = 0; key < KEYS_PER_ACCOUNT; key++)
    secrets.push((await createKey(keys, { accountId: account.id, name: `key ${key}` }, Date.now())).secret);
}
process.send?.({ port, secrets });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
