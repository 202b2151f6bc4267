/** Content that Chromium prints with features of PDF that PDF/A restricts, by name. */
import { deflateSync, crc32 } from 'node:zlib';

/** Creates a PNG in colors and alpha that change from pixel to pixel. */
function createPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows.set([x * 4, y * 4, 128, (x + y) * 2], y * (1 + width * 4) + 1 + x * 4);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const PNG = `data:image/png;base64,${createPng(64, 64).toString('base64')}`;
const BLEND_MODES =
  'multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity plus-lighter';
const CANVAS = `<canvas id=c width=200 height=100 role=img aria-label=c></canvas>
<script>const x = document.querySelector('#c').getContext('2d'); x.globalAlpha = .4;
x.fillStyle = 'red'; x.fillRect(0, 0, 90, 90); x.fillStyle = 'blue'; x.arc(90, 50, 40, 0, 7); x.fill(); x.fillText('chart', 9, 9)`;
const long = (text: string, times: number): string => text.repeat(times);

export const HARD_CASES: Readonly<Record<string, string>> = {
  png: `<img alt=p src="${PNG}"><img alt=p style="opacity:.4;image-rendering:pixelated;width:200px" src="${PNG}">`,
  webp: `<canvas id=c width=64 height=64></canvas><img alt=w id=w><script>const x = document.querySelector('#c').getContext('2d'); x.fillStyle = '#f008'; x.fillRect(9, 9, 40, 40); document.querySelector('#w').src = document.querySelector('#c').toDataURL('image/webp')</script>`,
  jpeg: `<canvas id=c width=64 height=64></canvas><img alt=w id=w><script>const x = document.querySelector('#c').getContext('2d'); x.fillStyle = '#fa0'; x.fillRect(9, 9, 40, 40); document.querySelector('#w').src = document.querySelector('#c').toDataURL('image/jpeg')</script>`,
  canvas: CANVAS,
  'canvas, static page': CANVAS.slice(0, CANVAS.indexOf('<script>')),
  gradients:
    '<div style="background:linear-gradient(#f008,transparent);height:60px">a</div><div style="background:conic-gradient(in oklch,red,blue);height:60px">b</div><div style="background:repeating-radial-gradient(#f00a 0 5px,#00f0 9px);height:60px">c</div>',
  shadows:
    '<div style="box-shadow:2px 2px 9px #0006;width:90px;border-radius:9px">s</div><p style="text-shadow:1px 1px 3px #0008">t</p>',
  filters:
    '<div style="filter:blur(3px) grayscale(1)">b</div><div style="backdrop-filter:blur(3px);background:#fff4">c</div><div style="filter:drop-shadow(2px 2px 2px red)">d</div>',
  masks:
    '<div style="mask-image:linear-gradient(#000,transparent);background:green">m</div><div style="clip-path:circle(40%);background:blue;height:60px">c</div>',
  blending: BLEND_MODES.split(' ')
    .map((mode) => `<div style="mix-blend-mode:${mode};background:#f808">${mode}</div>`)
    .join(''),
  colors:
    '<p style="color:color(display-p3 1 0 0);background:oklch(70% .2 30)">p3 <b style="color:color-mix(in lab,red,blue 40%)">mix</b></p>',
  svg: '<svg role=img aria-label=s width=200 height=200><defs><filter id=f><feGaussianBlur stdDeviation=3 /></filter><mask id=m><rect width=100 height=100 fill=white /></mask><pattern id=p width=10 height=10 patternUnits=userSpaceOnUse><circle r=4 cx=5 cy=5 fill="rgba(1,200,3,.4)"/></pattern><radialGradient id=g><stop stop-color="#f008"/><stop offset=1 stop-color="#00f0"/></radialGradient></defs><rect width=90 height=90 filter=url(#f) fill=red /><circle cx=99 cy=99 r=50 fill=url(#g) mask=url(#m) /><rect x=9 y=99 width=90 height=90 fill=url(#p) /><text x=3 y=40 opacity=.4>svg</text></svg>',
  links:
    '<a href="https://example.com/">external</a> <a href="mailto:a@example.com">mail</a> <a href="#t">internal</a> <a href="tel:+4512">phone</a> <a href="javascript:alert(1)">script</a> <a href="file:///x">file</a> <a href="data:text/html,x">data</a> <a href="">empty</a> <a href="#none">none</a><p style="break-before:page" id=t>target</p>',
  'long ids': `<a href="#${long('é漢', 40)}">x</a><h1 id="${long('é漢', 40)}">t</h1>`,
  'long texts': `<title>${long('ab ', 20_000)}</title><h1>${long('ab ', 15_000)}</h1><img src="${PNG}" alt="${long('ab ', 20_000)}">`,
  'deep clips': `${long('<div style="overflow:hidden;border-radius:9px;padding:1px">', 60)}x`,
  'deep opacity': `${long('<div style="opacity:.99;padding:1px">', 60)}x`,
  'deep transforms': `${long('<div style="clip-path:circle(49%);transform:rotate(1deg)">', 60)}x`,
  forms:
    '<form><input value=a><input type=checkbox checked><input type=radio><select><option>x</select><textarea>t</textarea><button>go</button><input type=date><input type=range><input type=file><input type=color><input type=password value=x><progress value=.4></progress><meter value=.4></meter></form>',
  frames:
    '<iframe srcdoc="<p>frame</p>"></iframe><details open><summary>s</summary>x</details><dialog open>d</dialog>',
  emoji: '<p>😀 👩‍💻 🇩🇰 ✅ 🎉 ❤️ 👍🏽 👩‍👩‍👧‍👦 1️⃣ <b>🎉</b> <i>🎉</i> <span style="opacity:.5">🎉</span></p>',
  'synthetic styles':
    '<p style="font-variant:small-caps;font-style:oblique;font-weight:900;-webkit-text-stroke:1px red;text-decoration:wavy underline">syn <ruby>漢<rt>kan</rt></ruby> x<sub>2</sub> &shy; a\u00A0b\u2003c\u3000d\uFEFFe</p>',
  math: '<math><mfrac><mi>a</mi><msqrt><mn>2</mn></msqrt></mfrac><mo>=</mo><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover></math>',
  vertical: '<p style="writing-mode:vertical-rl">縦書き vertical ー。「」</p>',
  invisible: '<p>a\u200B\u200C\u200D\u2060\u2028\u2029\u00AD\uFE0F\u202Eb\u202C\u2066c\u2069\t</p>',
  huge: '<div style="width:99999999px;height:2px;background:red"></div><div style="transform:translate(1e30px,3px)">x</div><div style="font-size:1e6px">X</div><div style="transform:scale(1e-30)">x</div>',
  'small sheet': '<style>@page{size:3mm 3mm;margin:0}</style><p style="font-size:.01px">x',
  'large sheet': '<style>@page{size:5000mm 5000mm}</style><p>x',
  'odd metadata':
    '<html lang="no language! <x>"><title>a\u0001\uFFFE😀 b\u007F ]]> <!-- &amp;amp;</title><p>x',
  embedded:
    '<embed src="data:application/pdf;base64,JVBERi0="><object data="data:text/html,<p>x"></object><video controls></video>',
  'foreign objects':
    '<svg width=100 height=100><foreignObject width=90 height=90><p xmlns="http://www.w3.org/1999/xhtml" style="opacity:.3">f</p></foreignObject><a href="https://example.com"><text y=20>l</text></a></svg>',
  'rotated sheet': '<style>@page{page-orientation:rotate-left}</style><a href="https://example.com">x</a>',
  empty: '<br>',
};
