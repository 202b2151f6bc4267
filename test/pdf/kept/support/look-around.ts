/**
 * The scripts of documents that print all that they can observe of what another document could have left. A
 * report that fails prints its error, which a new renderer prints too.
 */
import { SITE } from './changing-site.ts';

/** Longer, in the document's time, than what another document left needs to show itself. */
const LISTEN_MS = 300;

/** Storage, cookies, and the history and name of the page. */
const STORAGE = `
  report('local and session storage', () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  report('cookies', async () => [document.cookie, JSON.stringify((await cookieStore.getAll()).map(({ name }) => name))]);
  report('databases', async () => JSON.stringify(await indexedDB.databases()));
  report('caches', async () => [(await caches.keys()).join(), await caches.match('/kept')]);
  report('files', async () => {
    const found = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) found.push(name);
    return found;
  });
  report('buckets', async () => (await navigator.storageBuckets.keys()).join());
  report('usage', async () => [(await navigator.storage.estimate()).usage, await navigator.storage.persisted()]);
  report('service workers', async () => [(await navigator.serviceWorker.getRegistrations()).length, navigator.serviceWorker.controller]);
  report('page', () => [name, opener, parent === self, length, status, location.pathname, location.hash, document.domain === location.hostname]);
  report('history', () => [history.length, JSON.stringify(history.state), history.scrollRestoration, document.referrer, navigation.entries().length, navigation.canGoBack, navigation.activation?.from?.url]);
  report('navigation', () => performance.getEntriesByType('navigation').map(({ type, redirectCount }) => type + redirectCount));
  report('marks', () => ['mark', 'measure', 'resource'].map((type) => performance.getEntriesByType(type).length));
`;

/** Functions and names of the realm. */
const REALM = `
  const hash = (text) => { let sum = 0; for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0; return sum; };
  const members = (owner) => Object.getOwnPropertyNames(owner).sort().map((key) => {
    const { value, get, set, writable } = Object.getOwnPropertyDescriptor(owner, key);
    return [key, typeof value, typeof value === 'function' ? Function.prototype.toString.call(value) : '', get && String(get), set && String(set), writable].join();
  });
  const service = (key) => /^__[0-9a-f]{8}-/.test(key);
  report('names', () => hash(Object.getOwnPropertyNames(globalThis).filter((key) => !service(key)).sort().join()));
  report('added names', () => Object.getOwnPropertyNames(globalThis).filter((key) => key.includes('kept')).sort());
  for (const owner of ['Object', 'Array', 'Function', 'Promise', 'Date', 'Map', 'String', 'Number', 'RegExp', 'JSON', 'Math', 'Reflect', 'Intl', 'WebAssembly', 'console', 'crypto', 'navigator', 'performance', 'screen', 'Node', 'Element', 'Document', 'EventTarget', 'HTMLCanvasElement', 'CanvasRenderingContext2D', 'Response', 'Storage', 'XMLHttpRequest', 'Worker', 'CSSStyleDeclaration', 'Navigator', 'History', 'Crypto'])
    report(owner, () => hash([...members(globalThis[owner]), ...members(globalThis[owner].prototype ?? {}), ...members(Object.getPrototypeOf(globalThis[owner]) ?? {})].join()));
  report('functions', () => ['fetch', 'matchMedia', 'getComputedStyle', 'setTimeout', 'requestAnimationFrame', 'alert', 'print', 'open', 'queueMicrotask', 'structuredClone', 'atob'].map((key) => hash(String(globalThis[key]))));
  report('iteration', () => [...[1, 2], ...new Map([[3, 4]]), [5, 6].map(String).join('-'), Object.keys({ a: 1 }), 'in' in {}, [].concat([7]).includes(7)].join());
  report('random', () => [Math.random() !== Math.random(), crypto.randomUUID() !== crypto.randomUUID(), Math.random() < 1]);
  report('custom elements', () => [customElements.get('x-kept'), document.createElement('x-kept').constructor.name]);
  report('import map', () => import('kept').then(() => 'mapped', (error) => error.name));
  report('errors', () => [Error.stackTraceLimit, typeof Error.prepareStackTrace, onerror, onunhandledrejection]);
  report('trusted types', () => [typeof trustedTypes, trustedTypes?.defaultPolicy]);
`;

/**
 * Clocks of the document, read before anything else happens, and of a frame, which starts a
 * moment later: what they show is rounded to five seconds.
 */
const CLOCKS = `
  const readClocks = '(() => [Date.now(), Date.parse(new Date().toString()), new Date(new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeStyle: "long" }).format().replace(" at ", " ")).getTime(), globalThis.Temporal ? Temporal.Now.instant().epochMilliseconds : 0, Date.parse(new Intl.DateTimeFormat("en-CA").format()), new File([], "x").lastModified, Math.round(performance.timeOrigin), Math.round(performance.timeOrigin + performance.now())])()';
  const zone = '[new Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getTimezoneOffset(), new Date(0).toLocaleString()]';
  const round = (times) => times.map((time) => Math.round(time / 5000));
  const start = [(0, eval)(readClocks), (0, eval)(zone), Math.round(performance.now()), document.lastModified];
  report('clocks', () => start);
  const frame = document.body.appendChild(document.createElement('iframe'));
  const inFrame = [round(frame.contentWindow.eval(readClocks)), frame.contentWindow.eval(zone)];
  report('clocks of a frame', () => inFrame);
  frame.remove();
  report('timers', async () => {
    const [date, start] = [Date.now(), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return [Date.now() - date, performance.now() - start].map((ms) => Math.round(ms / 50));
  });
  report('timeline', () => [typeof document.timeline.currentTime, document.getAnimations().length, performance.timing.navigationStart > 0]);
`;

/** Those of a worker. */
const WORKER_CLOCKS = `
  const worker = new Worker(URL.createObjectURL(new Blob(['postMessage([' + readClocks + ', ' + zone + '])'])));
  const inWorker = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
  report('clocks of a worker', async () => {
    const [times, place] = await inWorker;
    worker.terminate();
    return [round(times), place];
  });
`;

/**
 * The page as a screen, and its devices and permissions. Not whether it has the focus, which a new page of a
 * busy browser gets late.
 */
const PAGE = `
  report('sizes', () => [innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, screen.width, screen.height, screen.orientation.type, visualViewport.scale, visualViewport.width, scrollX, scrollY]);
  report('media', () => ['print', 'screen', '(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors: active)', '(prefers-contrast: more)', '(hover)', '(pointer: fine)', '(display-mode: fullscreen)', '(inverted-colors)', '(scripting: enabled)'].map((query) => Number(matchMedia(query).matches)));
  report('state', () => [document.visibilityState, document.activeElement?.tagName, document.fullscreenElement, document.pointerLockElement, document.designMode, getSelection().rangeCount, document.compatMode, document.characterSet, document.dir, document.readyState, document.title]);
  report('security', () => [isSecureContext, crossOriginIsolated, origin === location.origin, typeof SharedArrayBuffer, document.permissionsPolicy?.allowedFeatures().length]);
  report('navigator', () => [navigator.language, navigator.languages, navigator.userAgent, navigator.onLine, navigator.webdriver, navigator.plugins.length, navigator.userActivation.hasBeenActive, navigator.mediaSession?.metadata, navigator.maxTouchPoints, navigator.cookieEnabled, navigator.doNotTrack].map(String));
  report('permissions', async () => {
    const found = [];
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'persistent-storage', 'midi', 'storage-access', 'local-fonts', 'screen-wake-lock'])
      found.push(await navigator.permissions.query({ name }).then(({ state }) => state, (error) => error.name));
    return found;
  });
  report('locks', async () => {
    const { held, pending } = await navigator.locks.query();
    return [held.length, pending.length, await navigator.locks.request('kept', { ifAvailable: true }, (lock) => lock !== null)];
  });
  report('contexts', () => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context.fillText('canvas', 9, 9);
    return [context.font, context.fillStyle, context.letterSpacing, context.measureText('canvas').width, hash(canvas.toDataURL()), document.createElement('canvas').getContext('webgl')];
  });
  report('zoom', () => [getComputedStyle(document.body).zoom, getComputedStyle(document.documentElement).fontSize, CSS.supports('color', 'red'), document.body.offsetWidth > 0]);
`;

/** Styles, fonts and resources, under the names and URLs that other documents use. */
const STYLES = `
  report('registered property', () => {
    const found = getComputedStyle(document.documentElement).getPropertyValue('--kept');
    CSS.registerProperty({ name: '--kept', syntax: '<color>', inherits: true, initialValue: 'green' });
    return [found, getComputedStyle(document.documentElement).getPropertyValue('--kept')];
  });
  report('style sheets', () => [document.styleSheets.length, document.adoptedStyleSheets.length, document.fonts.size, [...document.fonts].map(({ family }) => family), CSS.highlights?.size]);
  report('paint worklet', () => [CSS.supports('background', 'paint(kept)'), typeof CSS.paintWorklet]);
  report('font', async () => {
    const widths = ['Kept', 'monospace', 'Arial', 'serif'].map((family) => {
      const context = document.createElement('canvas').getContext('2d');
      context.font = '20px ' + family;
      return context.measureText('Widths 漢字骨').width;
    });
    return [...widths, document.fonts.check('12px Kept')];
  });
  for (const cache of ['default', 'force-cache', 'no-store'])
    report('fetch ' + cache, () => fetch('${SITE}/data.txt', { cache }).then((response) => response.text()));
  report('redirect', () => fetch('${SITE}/moved.txt').then(async (response) => [response.redirected, await response.text()]));
  report('fetch only-if-cached', () => fetch(location.origin + '/data.txt', { cache: 'only-if-cached', mode: 'same-origin' }).then((response) => response.text(), (error) => error.name));
  const load = (tag, members) => new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), members);
    element.onload = element.onerror = ({ type }) => resolve([type, element]);
    document.body.append(element);
  });
  report('script', async () => [(await load('script', { src: '${SITE}/script.js' }))[0], globalThis.version]);
  report('module', async () => (await import('${SITE}/module.js')).version);
  report('style', async () => [(await load('link', { rel: 'stylesheet', href: '${SITE}/style.css' }))[0], getComputedStyle(document.querySelector('.styled')).width]);
  report('image', async () => { const [type, { naturalWidth }] = await load('img', { src: '${SITE}/image.svg' }); return [type, naturalWidth]; });
  report('loaded font', async () => { const face = new FontFace('Loaded', 'url(${SITE}/font.ttf)'); document.fonts.add(face); return (await face.load()).status; });
  report('worker script', () => new Promise((resolve) => { const loader = new Worker(URL.createObjectURL(new Blob(["importScripts('${SITE}/worker.js')"]))); loader.onmessage = ({ data }) => { loader.terminate(); resolve(data); }; loader.onerror = () => resolve('error'); }));
`;

/** The clock that most documents read. */
const DATE = `
  const started = [Date.now(), new Date().toString(), Date(), performance.now(), performance.timeOrigin];
  report('date', () => started);
`;

/** Returns a script that prints each report as a line of `out`, and then gives the document its class. */
const createScript = (...sections: string[]): string => `(async () => {
  const reports = [];
  const heard = [];
  const report = (name, look) => reports.push([name, look]);
  addEventListener('message', ({ data }) => { if (typeof data === 'string') heard.push(data); });
  addEventListener('storage', () => heard.push('storage'));
  for (const name of ['kept', 'other']) new BroadcastChannel(name).onmessage = ({ data }) => heard.push(data);
  ${sections.join('')}
  report('heard', async () => { await new Promise((resolve) => setTimeout(resolve, ${LISTEN_MS})); return heard; });
  const found = await Promise.all(reports.map(async ([name, look]) => {
    try { return name + ': ' + String(await look()); } catch (error) { return name + ': ' + error.name + ': ' + error.message; }
  }));
  for (let n = 0; n < 30; n += 1) history.replaceState(n, '');
  out.append([...found, 'changes of the history: ' + history.state].join('\\n'));
  document.body.className = 'done';
})();`;

/** Looks at everything but the clocks that few documents read. */
export const LOOK_AROUND = createScript(DATE, STORAGE, REALM, PAGE, STYLES);

/** Reads the clocks of windows: those of workers show that of the renderer. */
export const READ_CLOCKS = createScript(CLOCKS);

/** Reads every clock, also those of workers. */
export const READ_ALL_CLOCKS = createScript(CLOCKS + WORKER_CLOCKS);
