/** The process: configuration → app → wait for a signal → drain. */
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { type Config, ConfigError, getAdminCommand, loadConfig } from '#config';
import { countUncaughtErrors, createApp, type FatalReason, recordUncaughtError, StartError } from '#app';
import { flushLog } from '#telemetry';

/** A drain that takes longer than this after SHUTDOWN_DELAY_MS is ended: supervisors kill after 10 s. */
const DRAIN_MS = 9500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

const config = loadConfigOrExit();
for (const signal of SIGNALS) process.on(signal, ignoreSignal);
for (const event of UNCAUGHT) process.on(event, surviveOrStop);
const starting = new AbortController();
const building = createApp(config, { signal: starting.signal });
const deadlineMs = config.shutdownDelayMs + DRAIN_MS;
let isStopping = false;
let isListening = false;
/** The uncaught error that ends the process. */
let fatal: { err: unknown; reason: FatalReason } | null = null;

const shutdown = closeWithGrace(
  {
    delay: deadlineMs,
    logger: false,
    skip: [...UNCAUGHT],
    onTimeout: () => console.error(`the drain took more than ${deadlineMs} ms: stopping at once`),
  },
  async ({ signal }) => {
    isStopping = true;
    starting.abort();
    ignoreFurtherSignals();
    const { logger, close } = await building;
    if (fatal) logger.fatal(fatal, 'uncaught error: draining, then stopping');
    else logger.info({ signal }, 'draining: finishing the requests in flight, then stopping');
    // State that may be half changed serves no further requests.
    await close(fatal !== null);
    logger.info('stopped');
    await flushLog();
    // The exit code is 1.
    if (fatal) throw new Error('stopped by an uncaught error', { cause: fatal.err });
  },
);

const app = await building.catch(stopAtStart);
// A signal that arrived this early has already started the shutdown.
if (!isStopping) await start();

async function start(): Promise<void> {
  const url = await listenOrExit();
  isListening = true;
  const keys = await app.storage.keys.listKeys(null);
  if (keys.length === 0) console.log(formatFirstSteps(url));
  const setupToken = await app.createSetupLink();
  if (setupToken !== null)
    console.log(
      `There is no administrator yet. This link creates one and works once; «accounts setup-link» prints a new one:\n\n  ${url}/setup?token=${setupToken}\n`,
    );
}

async function listenOrExit(): Promise<string> {
  try {
    return (await app.listen()).url;
  } catch (error) {
    const { message } = error as Error;
    app.logger.fatal(
      error instanceof StartError
        ? message
        : `cannot listen on ${config.host}:${config.port}: ${message}. Set HOST and PORT to an address that is free.`,
    );
    await app.close();
    return process.exit(1);
  }
}

function stopAtStart(error: unknown): never {
  // A signal ended the wait for the database: nothing is left to drain.
  if (isStopping && (error as Error).name === 'AbortError') return process.exit(fatal ? 1 : 0);
  if (error instanceof StartError) console.error(`cannot start: ${error.message}`);
  else console.error(error);
  return process.exit(1);
}

/** Logs an error that no request handles. If it may have left the state inconsistent, drains and stops. */
function surviveOrStop(err: unknown): void {
  const reason = recordUncaughtError(err, Date.now()) ?? (isListening ? null : 'starting');
  if (reason === null) {
    app.logger.error({ err, count: countUncaughtErrors() }, 'uncaught error outside a request: survived');
    return;
  }
  fatal = { err, reason };
  shutdown.close();
}

/**
 * Ignores further signals during a drain: only its deadline ends it. Ctrl-C in a terminal reaches this
 * process twice, directly and through npm. Unhandled errors are logged: exiting would leave a browser and its
 * folder behind.
 */
function ignoreFurtherSignals(): void {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (listener !== ignoreSignal) process.off(signal, listener);
  for (const event of UNCAUGHT)
    process.removeAllListeners(event).on(event, (error) => console.error('while draining:', error));
}

/** Keeps a signal from ending the process while listeners are exchanged. */
function ignoreSignal(): void {}

function loadConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(`configuration: ${problem}`);
    console.error('configuration: see docs/operate/configuration.md for every setting.');
    return process.exit(1);
  }
}

/** Returns a call of each operation that this process serves. */
function formatFirstCalls(url: string): string {
  const calls = {
    email: `"${url}/v1/email/validate?email=ann@gmial.com"`,
    metadata: `"${url}/v1/meta?url=https://example.com"`,
    pdf: `-H "content-type: application/json" -d '{"html":"<h1>Hello</h1>"}' -o hello.pdf ${url}/v1/pdf/generate`,
  };
  return [...config.operations].map((name) => `  curl -H "x-api-key: $KEY" ${calls[name]}`).join('\n');
}

/**
 * Formats the next steps for a new operator: create a key, then call each operation. Plain text, so that it
 * can be copied from the log.
 */
function formatFirstSteps(url: string): string {
  // The command line must use the folder and the database of this process.
  const isElsewhere = resolve(config.dataDir) !== resolve('data');
  const database = config.databaseUrl === null ? '' : 'DATABASE_URL="$DATABASE_URL" ';
  const folder = isElsewhere ? `DATA_DIR='${resolve(config.dataDir).replaceAll("'", `'\\''`)}' ` : '';
  const command = config.adminCommand ?? `${database}${folder}${getAdminCommand()}`;
  const plan = config.plans.has('pro') ? ' --plan pro' : '';
  return `
There is no API key yet. Create one (it is shown once), then call each operation:

  KEY=$(${command} keys create --email you@example.com${plan})
${formatFirstCalls(url)}
`;
}
