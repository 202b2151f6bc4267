import { SITE } from '../support/changing-site.ts';
import type { Attacks } from './attack.ts';

/** Leave much behind, so that the next document is slow or the renderer grows. */
export const LOAD_ATTACKS: Attacks = {
  '200,000 objects': `globalThis.kept = Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'kept' + n, list: [n] }));`,
  '150 MB of array buffers': `globalThis.kept = Array.from({ length: 15 }, () => new Uint8Array(1e7).fill(1));`,
  '100 MB of WebAssembly memory': `globalThis.kept = new WebAssembly.Memory({ initial: 1600 }); new Uint8Array(kept.buffer).fill(1);`,
  '80 MB of blobs': `globalThis.kept = Array.from({ length: 8 }, () => URL.createObjectURL(new Blob([new Uint8Array(1e7).fill(1)])));`,
  '60 MB of texts': `globalThis.kept = Array.from({ length: 60 }, (_, n) => (String(n) + 'x').repeat(5e5).slice(0, 1e6).split('').join('')); new RegExp('^(' + kept[0].slice(0, 5_000) + ')$').test('x');`,
  'elements outside the document, with listeners': `
    globalThis.kept = Array.from({ length: 30_000 }, (_, n) => {
      const element = document.createElement('div');
      element.addEventListener('click', () => n);
      element.append('kept', document.createElement('b'));
      return element;
    });`,
  'a document of 8,000 cells': {
    html: `<table>${'<tr><td>a<td>b<td>c<td>d'.repeat(2_000)}</table><script>1</script>`,
  },
  '60 frames': `for (let n = 0; n < 60; n++) document.body.appendChild(document.createElement('iframe')).srcdoc = '<p>kept<script>setInterval(() => {}, 50)<\\/script>';`,
  '60 canvases': `globalThis.kept = Array.from({ length: 60 }, () => { const canvas = document.createElement('canvas'); canvas.width = canvas.height = 700; canvas.getContext('2d').fillRect(0, 0, 700, 700); return canvas; });`,
  '8,000 listeners and 2,000 timers': `
    for (let n = 0; n < 8_000; n++) addEventListener('pagehide', () => n);
    for (let n = 0; n < 2_000; n++) setTimeout(() => n, 8e7 + n);`,
  '20,000 rules of style': `document.head.appendChild(document.createElement('style')).textContent = Array.from({ length: 20_000 }, (_, n) => '.kept' + n + ' > p:nth-child(' + n + ') { color: red }').join('');`,
  '500 fonts': `for (let n = 0; n < 500; n++) document.fonts.add(new FontFace('Kept' + n, 'url(${SITE}/kept-font.ttf)'));`,
  '3,000 functions': `globalThis.kept = Array.from({ length: 3_000 }, (_, n) => new Function('a', 'let sum = ' + n + '; for (let i = 0; i < 50; i++) sum += a * i; return sum')); for (const each of kept) each(1);`,
  'megabytes in each kind of storage': `
    const bytes = new Uint8Array(5e6).fill(7);
    await (await caches.open('kept')).put('/kept', new Response(bytes));
    const file = await (await navigator.storage.getDirectory()).getFileHandle('kept', { create: true });
    const stream = await file.createWritable();
    await stream.write(bytes);
    stream.close();
    while ((await file.getFile()).size === 0);
    const opening = indexedDB.open('kept');
    opening.onupgradeneeded = () => opening.result.createObjectStore('kept').put(bytes, 1);
    await new Promise((resolve) => { opening.onsuccess = resolve; });`,
  '300 requests': `await Promise.all(Array.from({ length: 300 }, (_, n) => fetch('${SITE}/data.txt?' + n).then((response) => response.text())));`,
  'floods of messages, marks and errors': `
    for (let n = 0; n < 5_000; n++) { postMessage('kept', '*'); console.log('kept'); }
    for (let n = 0; n < 15; n++) setTimeout(() => { throw new Error('planned'); });`,
  '3,000 nested elements': {
    html: `${'<div>'.repeat(3_000)}x<script>let element = document.body; for (let n = 0; n < 400; n++) element = element.appendChild(document.createElement('span'))</script>`,
  },
  'a cycle of frames, ports and observers': `
    globalThis.kept = [];
    for (let n = 0; n < 20; n++) {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const { port1, port2 } = new MessageChannel();
      Object.assign(frame.contentWindow, { kept, port1 });
      kept.push({ frame: frame.contentWindow, port2, observer: new MutationObserver(() => kept) });
      frame.remove();
    }`,
};
