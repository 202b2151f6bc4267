/** Makes everything fail that could reach a network, even in the network namespace of the service. */
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

/** Turns off what a document does not need, and what could harm the machine or other documents. */
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
  // A render has a BrowserContext of its own and no cookies, so its frames may share one renderer: one
  // process to watch and to kill.
  '--disable-site-isolation-trials',
];

/**
 * With a spare renderer, or one per sandboxed frame, it would be unclear which process belongs to which
 * render. Resources over http are loaded as they are, whatever the document's scheme.
 */
const FEATURES =
  '--disable-features=SpareRendererForSitePerProcess,IsolateSandboxedIframes,BackForwardCache,Prerender2,WebTransport,DirectSockets,AcceptCHFrame,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,GlobalMediaControls,PaintHolding,LazyFrameLoading,AutoupgradeMixedContent';

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

/**
 * Loads lazy images at once: otherwise Page.printToPDF loads them, and waits two seconds for images that are
 * there. A document over https may load scripts and styles over http: the service fetches them.
 */
const LOADING = '--blink-settings=lazyLoadEnabled=false,allowRunningOfInsecureContent=true';

/** Returns the browser's command line. Except for lazy images, no flag is there for speed. */
export function listChromiumFlags(options: {
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
    LOADING,
    ...QUIET,
    ...(options.sandbox ? [] : ['--no-sandbox']),
    ...(options.useSharedMemory ? [] : ['--disable-dev-shm-usage']),
  ];
}
