/** Everything that could reach a network fails closed, even where Chromium runs in the host's network. */
const NETWORK = [
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
];

/** What a document could do to the machine or to its neighbours, and does not need for paper. */
const CONTAINMENT = [
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
  // A render has a BrowserContext of its own, and no cookies: its frames may share one renderer, which is then the one to watch and to kill.
  '--disable-site-isolation-trials',
];

/** The spare renderer and sandboxed frames' own would make a render's processes hard to tell from another's. */
const FEATURES =
  '--disable-features=SpareRendererForSitePerProcess,IsolateSandboxedIframes,BackForwardCache,Prerender2,WebTransport,DirectSockets,AcceptCHFrame,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,GlobalMediaControls,PaintHolding,LazyFrameLoading';

const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-client-side-phishing-detection',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--lang=en-US',
  '--log-level=2',
];

/** On paper nothing is far below: told later to load them, Page.printToPDF waits two seconds for lazy images that are there. */
const EAGER = '--blink-settings=lazyLoadEnabled=false';

/** The command line of the browser; but for one, none of the flags makes it faster: every one closes a door or keeps it quiet. */
export function chromiumFlags(options: {
  profileDir: string;
  sandbox: boolean;
  useSharedMemory: boolean;
}): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${options.profileDir}`,
    ...NETWORK,
    ...CONTAINMENT,
    FEATURES,
    EAGER,
    ...QUIET,
    ...(options.sandbox ? [] : ['--no-sandbox']),
    ...(options.useSharedMemory ? [] : ['--disable-dev-shm-usage']),
  ];
}
