/** Random documents with resources: those that pass the gate look the same in both lanes. */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { FetchResource, PdfEngine } from '#pdf';
import { seeded } from '../../support/random.ts';
import { SITE_FILES, type SiteFile } from '../documents/with-resources.ts';
import { generate } from '../support/open-engine.ts';
import { countDifferentPixels, paintPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const ROUNDS = process.env['TEST_FULL'] === '1' ? 300 : 30;
const BASE_URL = 'https://site.example/';
const PIECES = [
  '<p>text',
  '<i>it</i>',
  '<h1>H</h1>',
  '<img src=/logo.png width=60>',
  '<img src="/logo.svg#mark">',
  '<img src=/bad.png alt=bad>',
  '<img src=/gone.png alt=gone>',
  '<img src=cid:x alt=cid>',
  '<link rel=stylesheet href=/imports.css>',
  '<link rel=stylesheet href=/fonts.css>',
  '<link rel=stylesheet href=/app.css media=print>',
  '<link rel=stylesheet href=/latin1.css>',
  '<style>@import "/red.css";</style>',
  '<style>@import "/red.css" screen;</style>',
  '<style>@font-face{font-family:G;src:local(Caladea),url(/inter.woff2)}h1{font-family:G}</style>',
  '<style>i{background:url(/logo.png);padding:9px;display:block}</style>',
  '<style>p::before{content:url(/logo.png)}</style>',
  '<style>@media screen{p{background:url(/gone.png)}}</style>',
  '<style>.a\\:b,h1{color:blue;width:9px\\9}</style>',
  '<style>p{color:r\\65 d}</style>',
  '<p style="background:url(&quot;/logo.svg&quot;);height:50px">x',
  '<ul style="list-style:url(/logo.png)"><li>x</ul>',
  '<table background=/logo.png><tr><td width=90 height=40>x</table>',
  '<svg width=40 height=40><circle r=9 cx=9 cy=9 fill="url(#a)"/></svg>',
  '<svg width=40 height=40><style>circle{fill:red}</style><circle r=9 cx=9 cy=9 /></svg>',
  '<select><option>a</select>',
  '<textarea><b></textarea>',
  '<noscript>n</noscript>',
  '<!--[if x]><img src=a><![endif]-->',
  '<![if y]>z<![endif]>',
];
const files: Record<string, SiteFile> = {
  ...SITE_FILES,
  '/bad.png': ['image/png', 'no image'],
  '/bad.woff2': ['font/woff2', 'no font'],
  '/imports.css': ['text/css', '@import "red.css";@import url("parts/table.css");i{color:green}'],
  '/fonts.css': [
    'text/css',
    '@font-face{font-family:F;src:url(bad.woff2),url("inter.woff2") format("woff2")}p{font-family:F}',
  ],
};

const fetchResource: FetchResource = ({ url }) => {
  const file = files[new URL(url).pathname];
  const [contentType, content] = file ?? ['text/plain', 'not found'];
  const headers: [string, string][] = [['content-type', contentType]];
  return Promise.resolve({ url, status: file ? 200 : 404, headers, body: Buffer.from(content) });
};

let engine: PdfEngine;
before(async () => {
  engine = await shareEngine(() => fetchResource);
});

void it('random documents are printed alike, with the same warnings', async () => {
  const random = seeded(5);
  let statics = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const pieces = Array.from({ length: 2 + random(5) }, () => PIECES[random(PIECES.length)]);
    const body = { html: pieces.join('\n'), base_url: BASE_URL };
    const chosen = await generate(engine, body);
    if (chosen.lane === 'warm') continue;
    statics += 1;
    const warm = await generate(engine, { ...body, wait_for: 0 });
    assert.deepEqual(chosen.warnings, warm.warnings, body.html);
    const [one, other] = [await paintPdf(chosen.pdf, 80), await paintPdf(warm.pdf, 80)];
    assert.equal(countDifferentPixels(one, other), 0, body.html);
  }
  assert.ok(statics > ROUNDS / 4, `${statics} documents are static`);
});
