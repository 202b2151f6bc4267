/**
 * Runs the service as `npm start` does, in a process of its own. Sends its port and a key to the parent
 * process.
 */
import { createKey, createAccount } from '../src/accounts/index.ts';
import { createApp } from '../src/app/create-app.ts';
import { loadConfig } from '../src/config/load-config.ts';

const config = loadConfig();
const app = await createApp(config);
const { port } = await app.listen();
const account = await createAccount(
  app.storage.accounts,
  config.plans,
  { email: 'bench@example.com' },
  Date.now(),
);
const { secret } = await createKey(app.storage.keys, { accountId: account.id, name: 'bench' }, Date.now());
process.send?.({ port, secret });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
