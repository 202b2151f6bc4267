/** Compares the parts of the scanner with parse5 on all short sequences of what can change their state. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { DeclarationEnd, TagEnd } from './tag-end.ts';
import { TAG, type TagId } from './tag-names.ts';
import { TextEnd } from './text-end.ts';

type Element = DefaultTreeAdapterMap['element'];

/** Yields all sequences of up to `length` of the fragments. */
function* listSequences(fragments: readonly string[], length: number): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of listSequences(fragments, length - 1)) for (const first of fragments) yield first + rest;
}

/** Finds the first element of a name in what parse5 makes of a page. */
function findElement(html: string, name: string): Element | undefined {
  const nodes: DefaultTreeAdapterMap['node'][] = [parse(html, { sourceCodeLocationInfo: true })];
  for (let node = nodes.shift(); node; node = nodes.shift()) {
    if (node.nodeName === name) return node as Element;
    if ('childNodes' in node) nodes.unshift(...node.childNodes);
  }
  return undefined;
}

interface Part {
  resume(bytes: Buffer, from: number, end: number): number;
}

/** Returns the end that a part finds after `from`, at once or byte by byte. */
function findEnd(part: Part, html: string, from: number, isInPieces: boolean): number {
  const bytes = Buffer.from(html, 'latin1');
  let end = -1;
  for (let at = from; at < bytes.length && end < 0; at = isInPieces ? at + 1 : bytes.length)
    end = part.resume(bytes, at, isInPieces ? at + 1 : bytes.length);
  return end;
}

describe('the end of a text element', () => {
  const SCRIPT = [
    '<',
    '/',
    '!',
    '-',
    '--',
    '>',
    'x',
    ' ',
    'script',
    '<script',
    '</SCRIPT',
    '</x',
    'cript',
    '<!--',
  ];
  const OTHER = ['<', '/', '!', '-', '>', 'x', '\n', 'title', '<TITLE', '</title', 'style', '<!--'];
  // Where an escaped script ends at the first end tag or at a later one shows its state.
  const PROBES = ['</script></script>x', '<script></script></script>x'];
  for (const [name, tag, prefixes, fragments, probes] of [
    ['script', TAG.script, ['', '<!--', '<!--<script>'], SCRIPT, PROBES],
    ['title', TAG.title, [''], OTHER, ['</title>x']],
    ['style', TAG.style, [''], OTHER, ['</style>x']],
  ] as [string, TagId, string[], string[], string[]][])
    it(`of a ${name} is that of parse5`, () => {
      const textEnd = new TextEnd();
      for (const prefix of prefixes)
        for (const sequence of listSequences(fragments, 3))
          for (const probe of probes) {
            const html = `<${name}>${prefix}${sequence}${probe}`;
            const location = findElement(html, name)?.sourceCodeLocation;
            for (const isInPieces of [false, true]) {
              textEnd.begin(tag);
              const end = findEnd(textEnd, html, name.length + 2, isInPieces);
              const found = end < 0 ? undefined : textEnd.textEnd;
              assert.equal(found, location?.endTag?.startOffset, JSON.stringify(html));
              if (end >= 0) assert.equal(end, textEnd.textEnd + name.length + 2);
            }
          }
    });
});

describe('the end of a tag', () => {
  const FRAGMENTS = ['a', '/', '=', '"', "'", ' ', '\t', '\n', '\f', '\r', '>'];

  it('is that of parse5, and so is whether it closes itself', () => {
    const tagEnd = new TagEnd();
    for (const start of [' ', '/', ' a="b"', " a='", ' a=b'])
      for (const sequence of listSequences(FRAGMENTS, 3)) {
        const html = `<svg${start}${sequence}><g>`;
        const element = findElement(html, 'svg');
        for (const isInPieces of [false, true]) {
          tagEnd.begin();
          const end = findEnd(tagEnd, html, 4, isInPieces);
          const location = element?.sourceCodeLocation;
          assert.equal(end, (location?.startTag ?? location)?.endOffset ?? -1, JSON.stringify(html));
          const isOpen = element?.childNodes.some(({ nodeName }) => nodeName === 'g');
          if (end >= 0 && end === html.length - 3)
            assert.equal(tagEnd.isSelfClosing, !isOpen, JSON.stringify(html));
        }
      }
  });
});

describe('the end of a declaration', () => {
  const FRAGMENTS = ['-', '--', '!', '>', ']', ']]', '[CDATA[', '[', 'C', 'x'];

  /** Returns true if parse5 takes a tag after `html` for one: the declaration in it has ended. */
  const isEnded = (html: string): boolean => findElement(`${html}<g>`, 'g') !== undefined;

  for (const [context, allowsCdata] of [
    ['', false],
    ['<svg>', true],
  ] as const)
    it(`in ${allowsCdata ? 'SVG' : 'HTML'} is that of parse5`, () => {
      const declarationEnd = new DeclarationEnd();
      const part: Part = {
        resume: (bytes, from, end) => declarationEnd.resume(bytes, from, end, allowsCdata),
      };
      for (const start of ['', '--', '----', '[CDATA['])
        for (const sequence of listSequences(FRAGMENTS, 3)) {
          const before = `${context}<!${start}${sequence}`;
          for (const isInPieces of [false, true]) {
            declarationEnd.begin();
            const end = findEnd(part, before, context.length + 2, isInPieces);
            assert.equal(end >= 0, isEnded(before), JSON.stringify(before));
            if (end < 0) continue;
            assert.ok(isEnded(before.slice(0, end)) && !isEnded(before.slice(0, end - 1)), before);
          }
        }
    });
});
