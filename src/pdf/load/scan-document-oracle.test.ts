/** Random documents: whatever parse5 finds in the tree, the scan must not have missed. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { seeded } from '../../../test/support/random.ts';
import { INERT_META, NEVER_STATIC, scanDocument } from './scan-document.ts';

const ROUNDS = process.env['TEST_FULL'] === '1' ? 200_000 : 20_000;
const PIECES = [
  '<p>',
  '</p>',
  '<p =">',
  '<p a="',
  "'",
  '"',
  '>',
  ' = ',
  '\u00a0',
  '/',
  '<svg>',
  '</svg>',
  '<svg/>',
  '<math>',
  '<mi>',
  '<foreignObject>',
  '</foreignObject>',
  '<desc>',
  '<title>',
  '</title>',
  '<textarea>',
  '</textarea>',
  '<style>',
  '</style>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<template>',
  '</template>',
  '<noscript>',
  '</noscript>',
  '<table>',
  '<select>',
  '<select/>',
  '</select>',
  '<meta http-equiv=refresh content=1>',
  '<meta x=&nbsp;" name=color-scheme content=dark y="">',
  '<meta name=color-scheme content=dark>',
  '<iframe>',
  '</iframe>',
  '<script>',
  '</script>',
  '<object>',
  '<img src=a>',
  '<img src=b srcset=c>',
  '<picture>',
  '</picture>',
  '<source srcset=d>',
  'text',
];

type Node = DefaultTreeAdapterTypes.Node;

/** Returns the elements that run or load something in this tree; not those of templates. */
function findDynamic(node: Node): string[] {
  const found: string[] = [];
  if ('tagName' in node) {
    const get = (name: string): string | undefined => node.attrs.find((one) => one.name === name)?.value;
    const equivalent = get('http-equiv');
    if (NEVER_STATIC.has(node.tagName) || node.tagName === 'script') found.push(node.tagName);
    if (node.tagName === 'meta' && equivalent !== undefined && !INERT_META.test(equivalent.trim()))
      found.push(`meta ${equivalent}`);
  }
  if ('childNodes' in node) found.push(...node.childNodes.flatMap(findDynamic));
  return found;
}

/** Returns the URLs of the images in this tree; a source or a srcset would need a choice. */
function findImages(node: Node): string[] {
  const own: string[] = [];
  if ('tagName' in node && /^(?:img|source)$/.test(node.tagName)) {
    const get = (name: string): string | undefined => node.attrs.find((one) => one.name === name)?.value;
    if (node.tagName === 'img') own.push(get('srcset') ?? get('src') ?? '');
    else if (node.parentNode?.nodeName === 'picture') own.push('source');
  }
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(findImages)] : own;
}

function takeOne(list: string[], wanted: string): boolean {
  const index = list.indexOf(wanted);
  return index >= 0 && list.splice(index, 1).length > 0;
}

void it('nothing that runs, and no image, is missed in 20,000 random documents', () => {
  const random = seeded(11);
  let statics = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const length = 1 + random(12);
    const html = Array.from({ length }, () => PIECES[random(PIECES.length)]).join('');
    const scanned = scanDocument(html, { javascript: true });
    if (scanned === null) continue;
    statics += 1;
    const tree = parse(html, { scriptingEnabled: true });
    assert.deepEqual(findDynamic(tree), [], JSON.stringify(html));
    const found = scanned.parts.flatMap((part) => (part.kind === 'image' ? [part.url] : []));
    for (const image of findImages(tree))
      assert.ok(takeOne(found, image), `${image}: ${JSON.stringify(html)}`);
    if (/color-scheme/.test(html)) assert.ok(scanned.leavesState);
  }
  assert.ok(statics > ROUNDS / 20, `${statics} documents are static`);
});
