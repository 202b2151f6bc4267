import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanDocument, scanTemplate } from '../scan-document.ts';
import type { ScannedDocument } from '../scanned-document.ts';

const WIDTHS = 'srcset="a 100w, b 400w, c 800w, d 1600w"';
const withSource = (attributes: string, image = '<img src=b>'): string =>
  `<picture><source srcset=a ${attributes}>${image}</picture>`;

function listImages({ parts }: ScannedDocument): string[] {
  return parts.flatMap((part) =>
    part.kind === 'image' ? [part.url] : part.kind === 'srcset' ? [`${part.url} ${part.descriptor}`] : [],
  );
}

/** Each source with the image that Chromium selects. */
const SELECTED: Record<string, string> = {
  '<img srcset="a 1x, b 2x">': 'a 1x',
  '<img srcset="a 2x, b 1.5x">': 'b 1.5x',
  '<img srcset="a 2x" src=b>': 'b',
  '<img srcset=a src=b>': 'a ',
  '<img srcset="" src=b>': 'b',
  '<link rel=preload as=font href=b><img srcset="a 1x, b 2x">': 'a 1x',
  '<link rel=preload as=image href=a><img srcset="a 1x">': 'a 1x',
  '<img src="\n\u00a0b ">': '\u00a0b',
  '<img srcset="a 2x" src="\u00a0">': '\u00a0',
  '<img srcset="a&#44;1 1x, b 2x" srcset=c>': 'a,1 1x',
  '<img src=a srcset="a 1x, b 2x">': 'a 1x',
  [`<img ${WIDTHS}>`]: 'c 800w',
  [`<img ${WIDTHS} sizes="(min-width: 1px) calc( 50vw + 1em - 15px ), 9px">`]: 'c 800w',
  [`<img ${WIDTHS} sizes="calc(100vw - 400px)">`]: 'b 400w',
  [`<img ${WIDTHS} sizes=5000px src=e>`]: 'd 1600w',
  [`<img ${WIDTHS} sizes=50vw>`]: 'b 400w',
  [`<img ${WIDTHS} sizes="(max-width: 600px) 100vw, 20em">`]: 'b 400w',
  [`<img ${WIDTHS} sizes="(min-width:40em) and (max-width:60em) 10vw">`]: 'a 100w',
  [`<img ${WIDTHS} sizes=5000px>`]: 'd 1600w',
  '<picture><img src=a></picture>': 'a',
  [withSource('')]: 'a ',
  [withSource('media=print')]: 'a ',
  [withSource('media=screen')]: 'b',
  [withSource('media="screen, only print and (min-width:500px)"')]: 'a ',
  [withSource('media="(min-width: 50em)"')]: 'a ',
  [withSource('media="(min-width: 50.1em)"')]: 'b',
  [withSource('media="( orientation :\n landscape )"')]: 'a ',
  [withSource('media="(prefers-color-scheme: dark)"')]: 'b',
  [withSource('type=image/webp')]: 'a ',
  [withSource('type=image/jxl')]: 'b',
  [withSource('type=" IMAGE/AVIF "')]: 'a ',
  [withSource('', '\n<!-- --><source srcset=c></source> <img src=b>')]: 'a ',
  '<source srcset=a><img src=b>': 'b',
  // A URL of an image is no CSS.
  '<img src="a?url(b)">': 'a?url(b)',
  '<div><source srcset=a></div><picture><img src=b></picture>': 'b',
};

void describe('a browser is left one image to select', () => {
  for (const [html, expected] of Object.entries(SELECTED)) {
    void it(html, () => {
      const scanned = scanDocument(html, { javascript: true });
      assert.deepEqual(scanned && listImages(scanned), [expected]);
    });
  }

  void it('and an attribute without a value stays as it is', () => {
    const html = '<picture><source srcset media><source srcset="" media=""><img srcset></picture>';
    assert.deepEqual(scanDocument(html, { javascript: true })?.parts, []);
  });

  void it('by replacing all other choices, also of the medium', () => {
    const html =
      '<picture><source media=screen srcset=a><source srcset=b media=print sizes=9px><img src=c srcset=d></picture>';
    const parts = scanDocument(html, { javascript: true })?.parts ?? [];
    const texts = parts.map((part) => [
      html.slice(part.start - 7, part.end),
      part.kind === 'text' ? part.text : part.kind,
    ]);
    assert.deepEqual(texts, [
      [' media=screen', 'all'],
      ['srcset=a', ','],
      ['srcset=b', 'srcset'],
      [' media=print', 'all'],
      ['srcset=d', ','],
    ]);
  });
});

/** Sources whose image is not certain. */
const UNCERTAIN: readonly string[] = [
  '<img srcset="a 1x, data:,b 2x">',
  '<img srcset="#a">',
  '<img srcset="a 1y">',
  '<img srcset="a 100w 50h">',
  '<img srcset="a 0w">',
  '<img srcset="a 100w, a 800w">',
  `<img ${WIDTHS} sizes=auto loading=lazy>`,
  `<img ${WIDTHS} sizes="calc(100vw * 2)">`,
  `<img ${WIDTHS} sizes="calc(100vw -9px)">`,
  `<img ${WIDTHS} sizes="calc((10vw))">`,
  `<img ${WIDTHS} sizes="min(10vw, 10px)">`,
  `<img ${WIDTHS} sizes="(hover) 9px, 20px">`,
  `<img ${WIDTHS} sizes="0px">`,
  `<img ${WIDTHS} sizes="\u00a050vw">`,
  withSource('media="not print"'),
  withSource('media="constructor"'),
  withSource('media="(min-width:1px"'),
  withSource('media="print/**/"'),
  withSource('media="print(min-width:1px)"'),
  withSource('media="print and(min-width:1px)"'),
  withSource('media="(min-width:1px)and (min-height:1px)"'),
  withSource('media="(orient ation:landscape)"'),
  withSource('media="(orientation: land scape)"'),
  withSource('type="\u00a0image/png"'),
  '<img srcset="a 2x\u00a0">',
  withSource('type=image/x-unheard-of'),
  withSource('', '<p><img src=b>'),
  withSource('', 'text<img src=b>'),
  withSource('', '<noscript></noscript><img src=b>'),
  withSource('', '<picture><img src=b></picture>'),
  withSource('', '<img src=b><img src=c>'),
  withSource('', '<img src=b><source srcset=c>'),
  withSource('', '<image src=b>'),
  // A browser prefers a larger image that it has already.
  '<link rel=preload as=Image href=b><img srcset="a 1x, b 2x">',
  '<img srcset="a 1x, b 2x"><link rel=prefetch href=b>',
  // On the sheet, the size or density of another source would apply to the image.
  withSource('media="(min-width:700px)" width=9'),
  '<picture><source srcset="a 2x" media="(min-width:700px)"><img src=b></picture>',
  `<picture><source ${WIDTHS} media="(min-width:700px)"><img src=b></picture>`,
  `<svg>${withSource('')}</svg>`,
  `<select>${withSource('')}</select>`,
  '<select><img srcset=a></select>',
  '<image srcset=a>',
  withSource('', `${'<source srcset=a>'.repeat(100)}<img src=b>`),
  '<img srcset=a>'.repeat(1_001),
  `<img srcset="${'a 1x, '.repeat(101)}">`,
  `<img srcset="b 2x, ${Array.from({ length: 90 }, (_, at) => `c${at} 3x`).join()}">`.repeat(6),
];

void describe('a document whose images are not certain needs a page of its own', () => {
  for (const html of UNCERTAIN) {
    void it(html.slice(0, 100), () => {
      assert.equal(scanDocument(html, { javascript: true }), null);
    });
  }

  void it('but a template shows its best guess', () => {
    assert.deepEqual(listImages(scanTemplate('<img srcset="a 1y, b 2x">')), ['b 2x']);
    assert.deepEqual(listImages(scanTemplate(`<img ${WIDTHS} sizes=auto>`)), ['c 800w']);
    assert.deepEqual(listImages(scanTemplate(withSource('media="not print"'))), ['b']);
  });

  void it('of the image alone if its sources are perhaps not for it', () => {
    for (const picture of [
      withSource('', '<a><img src=b></a>'),
      withSource('', '<a></a><img src=b>'),
      '<picture><a><source srcset=a><img src=b></a></picture>',
      `<picture>${'<source srcset=a>'.repeat(101)}<img src=b></picture>`,
    ]) {
      const scanned = scanTemplate(picture);
      assert.deepEqual(listImages(scanned), ['b'], picture);
      const texts = scanned.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
      assert.equal(texts.length, picture.match(/srcset=a/g)?.length, 'no source keeps its srcset');
      assert.ok(texts.every((text) => text === ','));
    }
  });
});
