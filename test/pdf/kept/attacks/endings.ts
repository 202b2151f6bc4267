import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

const EVENTS =
  "['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze', 'afterprint', 'beforeprint', 'pageswap']";
/** Returns a script that runs `work` at each event of the end of a document, of its frames too. */
const atTheEnd = (work: string): string => `
  const frame = document.body.appendChild(document.createElement('iframe'));
  for (const target of [window, document, frame.contentWindow]) for (const type of ${EVENTS}) target.addEventListener(type, (event) => { ${work} });`;
const WRITE =
  "try { localStorage.kept = sessionStorage.kept = name = 'kept'; document.cookie = 'kept=attack; max-age=9999'; history.pushState('kept', '', '/kept'); history.scrollRestoration = 'manual' } catch {}";
const LATE_MS = 61_000;
/** Returns a script that runs `work` later than any document is waited for. */
const later = (work: string): string =>
  `setTimeout(() => { ${work} }, ${LATE_MS}); setTimeout(() => { ${work} }, 30_500);`;
const worker = (code: string): string =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`;

/** Act when the document ends, or later, from what they leave running. */
export const ENDING_ATTACKS: Attacks = {
  'a question before it ends': atTheEnd("event.preventDefault(); event.returnValue = 'kept'; return 'kept';"),
  'state that is written at the end': atTheEnd(WRITE),
  'requests at the end': atTheEnd(
    `fetch('${SITE}/late.txt', { keepalive: true }).catch(() => {}); navigator.sendBeacon('${SITE}/late.txt', 'kept'); if (event.type !== 'beforeprint') new Image().src = '${SITE}/late.txt';`,
  ),
  'a request that is sent when the document is gone': `globalThis.fetchLater?.('${SITE}/late.txt', { activateAfter: 60_000 }); globalThis.fetchLater?.('${SITE}/late.txt');`,
  'timers and messages at the end': atTheEnd(
    `setTimeout(() => { ${WRITE} }); new BroadcastChannel('kept').postMessage('kept'); Promise.resolve().then(() => { ${WRITE} }); top.postMessage('kept', '*');`,
  ),
  'a navigation at the end': atTheEnd(`location = '${SITE}/'; location.hash = 'kept'; location.reload();`),
  'a document that is written at the end': atTheEnd(
    "document.open(); document.write('<p>kept<script>localStorage.kept = 1<\\/script>');",
  ),
  'pop-up windows and dialogs at the end': atTheEnd(
    `open('${SITE}/', 'kept'); alert('kept'); confirm('kept'); print();`,
  ),
  'work of a moment at the end': atTheEnd('for (let n = 0; n < 3e7; n++);'),
  'endless work at the end': `addEventListener('pagehide', () => { while (true); }); addEventListener('unload', () => { while (true); });`,
  'navigations that it cancels': `navigation.onnavigate = (event) => event.preventDefault();`,
  'navigations that it intercepts': `navigation.onnavigate = (event) => { if (event.canIntercept) event.intercept({ handler: () => new Promise(() => {}) }); };`,
  'a navigation, later': later(`location = '${SITE}/';`),
  'a reload and steps of the history, later': `history.pushState(1, '', '/kept'); ${later('history.back(); history.forward(); location.reload();')}`,
  'a form that is sent, later': `const form = document.body.appendChild(document.createElement('form')); form.action = '${SITE}/'; ${later('form.submit();')}`,
  'a refresh, later': { html: `<meta http-equiv=refresh content="45;url=${SITE}/"><p>x<script>1</script>` },
  'the end of the page, later': later('window.close(); self.close(); top.close();'),
  'endless work, later': later('while (true);'),
  'short work, again and again': 'setInterval(() => { for (let n = 0; n < 3e6; n++); }, 20);',
  'dialogs, later': later("for (let n = 0; n < 9; n++) alert('kept');"),
  'downloads, later': later(
    "Object.assign(document.createElement('a'), { href: 'data:application/octet-stream,kept', download: 'kept' }).click();",
  ),
  'workers that wait': `globalThis.kept = Array.from({ length: 20 }, () => ${worker('onmessage = () => {}')});`,
  'workers that are busy': `globalThis.kept = [${worker('for (let n = 0; n < 4e8; n++);')}, ${worker('setInterval(() => { for (let n = 0; n < 1e6; n++); }, 5)')}];`,
  'workers of workers': `globalThis.kept = ${worker("self.kept = new Worker(URL.createObjectURL(new Blob([\"setInterval(() => new BroadcastChannel('kept').postMessage('kept'), 20)\"])));")};`,
  'workers that broadcast and store': `globalThis.kept = ${worker("setInterval(() => { new BroadcastChannel('kept').postMessage('kept'); new BroadcastChannel('other').postMessage('kept'); indexedDB.open('kept' + Math.random()); caches.open('kept') }, 10)")};`,
  'a broadcast in a loop': `globalThis.kept = new BroadcastChannel('kept'); setInterval(() => kept.postMessage('kept'), 5); kept.onmessage = () => kept.postMessage('kept');`,
  'locks of the page and of a worker': `
    navigator.locks.request('kept', () => new Promise(() => {}));
    for (let n = 0; n < 50; n++) navigator.locks.request('kept' + n, { mode: 'shared' }, () => new Promise(() => {}));
    globalThis.kept = ${worker("navigator.locks.request('kept', () => new Promise(() => {})); navigator.locks.request('other', () => { postMessage(1); return new Promise(() => {}) })")};
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'ports that a worker and a frame hold': `
    const { port1, port2 } = new MessageChannel();
    globalThis.kept = ${worker('onmessage = ({ ports }) => { self.port = ports[0]; setInterval(() => port.postMessage("kept"), 10) }')};
    kept.postMessage(0, [port1]);
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow.postMessage(0, '*', [port2]);`,
  'shared memory that a worker waits for': `
    globalThis.kept = ${worker('const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }); setInterval(() => Atomics.wait(new Int32Array(buffer), 0, 0, 30), 40); postMessage(1)')};
    await new Promise((resolve) => { kept.onmessage = resolve; });`,
  'frames of other origins': {
    html: `<iframe src="${SITE}/loop.html"></iframe><iframe sandbox="allow-scripts allow-popups allow-top-navigation" src="${SITE}/loop.html"></iframe><iframe srcdoc="<script>setInterval(() => { parent.name = 'kept' }, 20)</script>"></iframe><p>x`,
  },
  connections: `
    globalThis.kept = [new WebSocket('wss://site.example/'), new EventSource('${SITE}/events'), new RTCPeerConnection()];
    kept[0].onerror = kept[1].onerror = () => {};
    kept[2].createDataChannel('kept');
    await kept[2].setLocalDescription();`,
  'a request that is slow': `fetch('${SITE}/slow.txt', { keepalive: true }); fetch('${SITE}/slow.txt'); document.documentElement.className = 'left';`,
  'the loading, stopped': {
    html: `<p>x<script>onload = () => { document.open(); document.write('kept'); stop(); }</script>`,
  },
};
