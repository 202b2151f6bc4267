import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

const CONTROL = 'Object.getOwnPropertyNames(window).find((name) => /^__[0-9a-f]{8}-/.test(name))';

/** Change the language, the functions of the browser, and what a document registers by name. */
export const REALM_ATTACKS: Attacks = {
  'prototypes that others use': `
    Array.prototype.map = () => ['kept']; Array.prototype.includes = () => true; String.prototype.split = () => ['kept'];
    Promise.prototype.then = ((then) => function (...args) { return then.apply(this, args); })(Promise.prototype.then);
    Object.prototype.kept = 'attack'; Map.prototype.get = () => 'kept'; RegExp.prototype.test = () => false; Number.prototype.toFixed = () => 'kept';`,
  'prototypes that throw': {
    html: '<p>x<script>onload = () => { for (const owner of [Promise, Map, Set, Reflect, MutationObserver, Document, Performance, Event, Element]) for (const key of Reflect.ownKeys(owner.prototype ?? owner)) try { Object.defineProperty(owner.prototype ?? owner, key, { value() { throw 1 } }) } catch {} }</script>',
  },
  'the iteration of arrays': `Array.prototype[Symbol.iterator] = function* () { yield 'kept'; };`,
  'frozen objects': `for (const owner of [Object, Array, Function, Promise, Date, Map, Node, Element, Document, EventTarget]) { Object.freeze(owner.prototype); Object.freeze(owner); } Object.freeze(document.body); try { Object.preventExtensions(window); } catch {}`,
  'functions of the window': `
    for (const key of ['fetch', 'matchMedia', 'getComputedStyle', 'requestAnimationFrame', 'alert', 'print', 'open', 'structuredClone', 'atob', 'XMLHttpRequest', 'Worker', 'Image', 'FontFace', 'URL', 'Blob'])
      Object.defineProperty(window, key, { value: function kept() { return 'attack'; } });
    for (const key of Object.keys(console)) console[key] = () => { throw 1; };`,
  'the navigator and the screen': `
    for (const [owner, members] of [[Navigator.prototype, { language: 'ja', languages: ['ja'], userAgent: 'kept', onLine: false, webdriver: 'kept' }], [Screen.prototype, { width: 1, height: 1 }], [window, { innerWidth: 1, devicePixelRatio: 9 }]])
      for (const [key, value] of Object.entries(members)) Object.defineProperty(owner, key, { get: () => value, configurable: true });`,
  'random numbers': `
    Math.random = () => 0.5; Crypto.prototype.randomUUID = () => 'kept'; crypto.getRandomValues = (array) => array.fill(0); SubtleCrypto.prototype.digest = () => Promise.resolve('kept');`,
  'dates, clocks and time zones': `
    const Real = Date;
    globalThis.Date = class extends Real { constructor() { super(0); } static now() { return 0; } };
    performance.now = () => 1e9; Performance.prototype.now = () => 1e9;
    Intl.DateTimeFormat = function () { return { format: () => 'kept', resolvedOptions: () => ({ timeZone: 'Kept' }) }; };
    Real.prototype.getTimezoneOffset = () => 600; Real.prototype.toLocaleString = () => 'kept'; Real.now = () => 0;
    globalThis.File = class { lastModified = 0; }; delete globalThis.Temporal;`,
  'numbers and texts of a locale': `
    Number.prototype.toLocaleString = () => 'kept'; Intl.NumberFormat = null; String.prototype.localeCompare = () => 0; Intl.Locale = null; Intl.Segmenter = null;`,
  'custom elements': `
    class Kept extends HTMLElement { connectedCallback() { this.textContent = 'kept'; setInterval(() => this.append('!'), 100); } }
    customElements.define('x-kept', Kept);
    document.body.append(new Kept());`,
  'registered properties': {
    html: '<style>@property --kept { syntax: "<color>"; inherits: true; initial-value: red } p { color: var(--kept) }</style><p>x<script>CSS.registerProperty({ name: "--kept2", syntax: "<length>", inherits: true, initialValue: "9px" })</script>',
  },
  'style sheets that a script adopts': `
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { color: red !important; font-size: 30px !important } .styled { width: 999px }');
    document.adoptedStyleSheets = [sheet];
    CSS.highlights.set('kept', new Highlight(new Range()));`,
  'a paint worklet': `
    const code = 'registerPaint("kept", class { paint(context, size) { context.fillRect(0, 0, size.width, size.height); } })';
    await CSS.paintWorklet?.addModule(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    document.body.style.background = 'paint(kept)';`,
  'an audio worklet': `
    const code = 'registerProcessor("kept", class extends AudioWorkletProcessor { process() { return true; } })';
    const context = new OfflineAudioContext(1, 44100, 44100);
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    new AudioWorkletNode(context, 'kept').connect(context.destination);
    globalThis.kept = context;`,
  errors: `
    Error.stackTraceLimit = 0; Error.prepareStackTrace = () => 'kept';
    onerror = onunhandledrejection = () => true;`,
  'global names': {
    html: `<p id=fetch>x<form name=createElement></form><form name=querySelector></form><form name=readyState></form><script>var keptVariable = 1; let keptLexical = 2; class KeptClass {} function keptFunction() {} Object.defineProperty(window, 'keptConstant', { value: 1 }); window.out = 'kept'; window.version = 'kept'</script>`,
  },
  'the functions of the service': `
    const control = ${CONTROL};
    for (const attack of [() => { window[control] = null; }, () => { delete window[control]; }, () => { window[control].takeActivity = () => 1; }, () => Object.defineProperty(window, control, { value: 1 }), () => Object.setPrototypeOf(window[control], null)]) try { attack(); } catch {}`,
  'functions of the service that another realm keeps': `
    const frame = document.body.appendChild(document.createElement('iframe'));
    globalThis.kept = { control: window[${CONTROL}], realm: frame.contentWindow };
    frame.contentWindow.Array.prototype.map = () => 'kept';`,
  'a policy for content and for types': {
    html: `<meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'unsafe-inline'; style-src 'none'; trusted-types default"><p>x<script>trustedTypes.createPolicy('default', { createHTML: () => 'kept' })</script>`,
  },
  'a base URL and a target in the document': {
    html: `<base href="${SITE}/kept/" target=_blank><p>x <a href=a>y</a><script>document.write('<base href="https://kept.example/">')</script>`,
  },
  'the document, opened again': {
    html: '<p>x<script>onload = () => { document.open(); document.write("<p>written<script>var keptWritten = 1<\\/script>"); document.close(); }</script>',
  },
  'an editable document': `
    document.designMode = 'on'; document.execCommand('selectAll'); document.execCommand('bold');
    document.documentElement.contentEditable = true; document.execCommand('styleWithCSS', false, true);`,
  'WebAssembly memory and tables': `
    globalThis.kept = [new WebAssembly.Memory({ initial: 100, maximum: 1000, shared: true }), new WebAssembly.Table({ initial: 1000, element: 'anyfunc' })];
    kept[0].grow(50); WebAssembly.compile = () => 'kept';`,
};
