/** Runs a replica. Sends its port to the parent process, then its CPU time in microseconds when asked. */
import { createApp } from '../../src/app/create-app.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const app = await createApp(loadConfig());
const { port } = await app.listen();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
process.on('SIGTERM', () => void app.close(true).then(() => process.exit(0)));
process.send?.({ port });
