import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onAbort, resolvesWithin } from '#concurrency';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import type { ChromiumBinary } from './find-chromium.ts';
import { BROWSER_UID, type Jail } from './jail.ts';
import { type RunFolder, killProcess, openRunFolder, setOomScore } from './run-folder.ts';

/** The flags of every browser. Except for lazy images, none is there for speed. */
const FLAGS = [
  // Make everything fail that could reach a network, even in the network namespace of the service.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  // Turn off what a document does not need, and what could harm the machine or other documents.
  '--block-new-web-contents',
  '--disable-3d-apis',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-extensions',
  '--disable-notifications',
  '--disable-speech-api',
  '--deny-permission-prompts',
  '--mute-audio',
  '--js-flags=--single-threaded-gc --max-old-space-size=512',
  // A render has a BrowserContext of its own and no cookies, so its frames may share one renderer: one
  // process to watch and to kill.
  '--disable-site-isolation-trials',
  // With a spare renderer, or one per sandboxed frame, it would be unclear which process belongs to which
  // render. Resources over http are loaded as they are, whatever the document's scheme.
  '--disable-features=RenderDocument,SpareRendererForSitePerProcess,IsolateSandboxedIframes,BackForwardCache,Prerender2,WebTransport,DirectSockets,AcceptCHFrame,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,GlobalMediaControls,PaintHolding,LazyFrameLoading,AutoupgradeMixedContent',
  // Load lazy images immediately: otherwise Page.printToPDF loads them, and waits two seconds even for images
  // that have arrived. A document over https may load scripts and styles over http: the service fetches them.
  '--blink-settings=lazyLoadEnabled=false,allowRunningOfInsecureContent=true',
  // The browser draws a page only when the service asks for a frame, and has then called all observers and
  // sent all events that belong to it.
  '--enable-begin-frame-control',
  '--run-all-compositor-stages-before-draw',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-hang-monitor',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--metrics-recording-only',
  '--password-store=basic',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
  '--log-level=2',
];

/** A browser that has responded. */
export interface LaunchedBrowser {
  connection: CdpConnection;
  pid: number;
  network: 'namespace' | 'flags';
  sandbox: boolean;
  version: string;
  /** Resolves when its process has ended. */
  exited: Promise<void>;
  /** Kills the browser and its children, and removes its folder. Idempotent. */
  destroy(): Promise<void>;
}

const START_TIMEOUT_MS = 15_000;
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;
const KEPT_ERROR_CHARACTERS = 2_000;

/**
 * Starts the browser in the given jail. Rejects with its error output if it does not respond. If `signal`
 * aborts, a browser that is still starting is killed.
 */
export async function launchBrowser(
  binary: ChromiumBinary,
  jail: Jail,
  signal?: AbortSignal,
): Promise<LaunchedBrowser> {
  const changesUser = jail.user !== null || jail.prefix.some((word) => word.startsWith('--reuid='));
  const folder = openRunFolder(changesUser ? BROWSER_UID : null);
  const child = await spawnBrowser(binary, jail, folder).catch(async (error: unknown) => {
    // spawn() throws if the command line is too long or the process has no free descriptors.
    await folder.remove();
    throw error;
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const destroy = async (): Promise<void> => {
    // The prefix may not have made the group yet.
    if (child.pid !== undefined) [-child.pid, child.pid].forEach(killProcess);
    await exited;
    // A pipe with unwritten data would keep this process alive.
    for (const stream of child.stdio ?? []) stream?.destroy();
    await folder.remove();
  };
  const getErrors = collectErrors(child);
  const stopListening = onAbort(signal, () => void destroy());
  try {
    const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
    const version = connection.send('Browser.getVersion');
    if (!(await resolvesWithin(version, START_TIMEOUT_MS))) throw new Error('the browser did not respond');
    const pid = await findBrowserPid(connection);
    // Lower than a renderer's OOM score: the kernel ends the renderer of one document first.
    setOomScore(pid, 800);
    return {
      connection,
      pid,
      exited,
      destroy,
      version: (await version).product,
      sandbox: jail.sandbox,
      network: jail.network,
    };
  } catch (error) {
    await destroy();
    throw new Error(getErrors() || 'the browser did not start', { cause: error });
  } finally {
    stopListening();
  }
}

async function spawnBrowser(binary: ChromiumBinary, jail: Jail, folder: RunFolder): Promise<ChildProcess> {
  // Docker gives 64 MB of /dev/shm by default: too little for a large document.
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  const flags = [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${join(folder.home, 'profile')}`,
    ...FLAGS,
    ...(jail.sandbox ? [] : ['--no-sandbox']),
    ...(bavail * bsize < MIN_SHARED_MEMORY_BYTES ? ['--disable-dev-shm-usage'] : []),
  ];
  const [command = binary.path, ...args] = [...jail.prefix, binary.path, ...flags];
  return spawn(command, args, {
    cwd: folder.home,
    env: createEnvironment(binary, folder),
    detached: !jail.hasOwnGroup,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    ...jail.user,
  });
}

/** Finds the browser's own process: with a prefix, another process was started. */
async function findBrowserPid(connection: CdpConnection): Promise<number> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('the browser did not name its process');
  return pid;
}

/** Returns what the browser needs. The service's own environment may hold secrets, so it is not passed on. */
function createEnvironment(binary: ChromiumBinary, folder: RunFolder): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: folder.home,
    TMPDIR: folder.home,
    LANG: 'en_US.UTF-8',
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(binary.libraryFolder === null ? {} : { LD_LIBRARY_PATH: binary.libraryFolder }),
    ...(binary.fontconfigFile === null ? {} : { FONTCONFIG_FILE: binary.fontconfigFile }),
  };
}

/** Collects the end of the error output. */
function collectErrors(child: ChildProcess): () => string {
  let kept = '';
  child.on('error', (error) => (kept += error.message));
  child.stderr
    ?.setEncoding('utf8')
    .on('error', () => {})
    .on('data', (text: string) => (kept = (kept + text).slice(-KEPT_ERROR_CHARACTERS)));
  return () => kept.trim();
}
