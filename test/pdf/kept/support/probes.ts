/** The documents that look for what the document before them left. */
import { invoice } from '../../documents/invoice.ts';
import { SITE } from './changing-site.ts';
import { LOOK_AROUND, READ_ALL_CLOCKS, READ_CLOCKS } from './look-around.ts';

/** Han characters whose glyphs depend on the language, in a document that has none. */
const HAN = '<p>骨直海角今令曜飯 <b>骨直海角</b> <span style="font-family:serif">骨直海角今令</span></p>';

/** Shows what no script can read: colors of visited links, fonts, forms, custom properties, sizes. */
const APPEARANCE = `
  <style>a:visited { color: red } .font { font-family: Kept, Loaded, serif } .var { color: var(--kept, blue) } x-kept { color: teal } p { margin: 2px }</style>
  <p><a href="${SITE}/frame.html">visited</a> <a href="${SITE}/">or not</a> <span class=font>a family name \uE000</span> <span class=var>a property</span> <x-kept>an element</x-kept> <span class=styled>styled</span></p>
  <form><input name=kept value=v> <input type=checkbox> <input type=date value=2026-11-22> <textarea>mispeled wrods</textarea> <button>b</button> <select><option>x</select></form>
  <p style="font-size:medium">medium <small>small</small> <tt>typewriter</tt> <i style="background:canvas;color:canvastext">system</i></p>${HAN}`;

const LOOKING = `<!doctype html><title>probe</title><body style="font-size:7px">${APPEARANCE}<pre id=out style="white-space:pre-wrap"></pre><script>${LOOK_AROUND}</script>`;

const formatClocks = (script: string): string =>
  `<!doctype html><title>clocks</title><body style="font-size:7px"><pre id=out style="white-space:pre-wrap"></pre><script>${script}</script>`;

const SCRIPTED_INVOICE = invoice().replace(
  '</body>',
  `<canvas id=chart width=400 height=80></canvas><script>
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.lastElementChild.textContent);
    const context = document.getElementById('chart').getContext('2d');
    rows.forEach((text, index) => { context.fillStyle = 'hsl(' + 40 * index + ' 70% 50%)'; context.fillRect(60 * index, 80 - text.length * 6, 40, 80); context.fillText(text, 60 * index, 20); });
    document.querySelector('.note').append(' Printed on ' + new Date().toLocaleString('en') + ' with ' + rows.length + ' rows.');
  </script></body>`,
);

const STATIC = `<!doctype html><title>static</title>${HAN}<style>.styled { border: 1px solid }</style><link rel=stylesheet href="${SITE}/style.css"><p class=styled>styled <img src="${SITE}/image.svg"> <a href=#x>x</a></p>`;

const NOW = '2031-05-06T07:08:10Z';
/** The condition of a probe that looks around. */
const DONE = { wait_for: '.done' };

/** The body of each probe. */
export const PROBES: Readonly<Record<string, Record<string, unknown>>> = {
  'a document that looks around': { html: LOOKING, ...DONE },
  'an invoice with a script': { html: SCRIPTED_INVOICE, wait_for: '#chart' },
  'a static document': { html: STATIC },
  'a document that reads the clocks of its windows': { html: formatClocks(READ_CLOCKS), ...DONE },
  'a document with a time of its own': { html: formatClocks(READ_ALL_CLOCKS), now: NOW, ...DONE },
  'a document with a time of its own that looks around': { html: LOOKING, now: NOW, ...DONE },
  'a document at the URL of a site': { html: LOOKING, base_url: `${SITE}/`, ...DONE },
};

/** The probes that a kept renderer may print. */
export const KEPT_PROBES: readonly string[] = [
  'a document that looks around',
  'an invoice with a script',
  'a document that reads the clocks of its windows',
];
