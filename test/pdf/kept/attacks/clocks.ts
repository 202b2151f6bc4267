import type { Attacks } from './attack.ts';

/** Let time pass, or leave something that runs when time passes again. */
export const CLOCK_ATTACKS: Attacks = {
  'twenty seconds of timers': `for (let n = 0; n < 20; n++) await new Promise((next) => setTimeout(next, 1000));`,
  'a wait of ten seconds': {
    html: '<p>x<script>setInterval(() => document.body.append("."), 700)</script>',
    wait_for: 10_000,
  },
  'a condition that becomes true late': {
    html: '<p>x<script>setTimeout(() => { window.kept = true }, 25_000)</script>',
    wait_for_expression: 'window.kept',
  },
  'timers of days, weeks and no time': `for (const ms of [8.64e7, 6e8, 2147483647, -1, 0, NaN, 1e300]) { setTimeout(() => { document.title = 'kept'; }, ms); setInterval(() => { localStorage.kept = 'attack'; }, ms); }`,
  'intervals that are left': `for (let ms = 1; ms < 60; ms++) setInterval(() => { name = 'kept' + ms; }, ms);`,
  'a loop of animation frames': `(function next() { document.body.dataset.kept = Math.random(); requestAnimationFrame(next); })();`,
  'timers that chain without end': `(function next() { setTimeout(next); })(); (function other() { queueMicrotask(() => setTimeout(other, 4)); })();`,
  'idle callbacks and tasks of the scheduler without end': `
    (function next() { requestIdleCallback(next); })();
    (function task() { scheduler.postTask(task, { delay: 20, priority: 'background' }); })();`,
  'messages through a channel without end': `
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => port2.postMessage(0);
    port2.postMessage(0);
    globalThis.kept = [port1, port2];`,
  'a wait that reads the clock': `const start = Date.now(); while (Date.now() - start < 3000); for (const begin = performance.now(); performance.now() - begin < 3000;);`,
  'marks, measures and a full buffer': `
    for (let n = 0; n < 3000; n++) performance.mark('kept' + n);
    performance.measure('kept', 'kept0', 'kept9');
    performance.setResourceTimingBufferSize(0);
    globalThis.kept = new PerformanceObserver(() => {});
    kept.observe({ entryTypes: ['mark', 'measure', 'resource', 'longtask'] });`,
  'animations and transitions without end': {
    html: '<style>@keyframes k { to { transform: rotate(9turn); color: red } } * { animation: k 3s infinite; transition: all 900s }</style><p>x<svg><rect width=9 height=9><animate attributeName=x to=200 dur=3s repeatCount=indefinite /></rect></svg><marquee>kept</marquee><script>document.body.animate({ opacity: [0.5, 1] }, { duration: 1e9, iterations: Infinity }).playbackRate = 5</script>',
  },
  'animations that start again when they end': `(function next() { document.body.animate({ opacity: [0.9, 1] }, 1e7).onfinish = next; })();`,
  'observers that cause their own calls': `
    const box = document.body.appendChild(document.createElement('div'));
    new ResizeObserver(() => { box.style.width = Math.random() * 99 + 'px'; }).observe(box);
    new IntersectionObserver(() => { box.style.marginTop = Math.random() * 9 + 'px'; }).observe(box);
    new MutationObserver(() => setTimeout(() => box.append('.'), 30)).observe(box, { childList: true });
    box.append('.');`,
  'clocks of workers': `
    const code = 'let n = 0; setInterval(() => postMessage([n++, Date.now(), performance.now()]), 5); (function next() { requestAnimationFrame?.(next); })();';
    globalThis.kept = Array.from({ length: 3 }, () => new Worker(URL.createObjectURL(new Blob([code]))));
    await new Promise((resolve) => { kept[0].onmessage = ({ data }) => { if (data[0] > 20) resolve(); }; });`,
  'a time far in the past and one far ahead': {
    html: '<p id=o>x<script>o.append(new Date().toISOString())</script>',
    now: '1971-02-03T04:05:06Z',
  },
  'a time in another zone': {
    html: '<p id=o>x<script>o.append(new Date().toISOString())</script>',
    now: '2099-12-31T23:59:59+14:00',
  },
  'signals and locks with time limits': `
    globalThis.kept = [AbortSignal.timeout(5_000), AbortSignal.timeout(8.64e7), navigator.locks.request('kept', () => new Promise((free) => setTimeout(free, 3e6)))];`,
};
