import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForeignContent } from './foreign-content.ts';

const MAX_DEPTH = 512;

/** Applies tags (`<g/>` is self-closing). Returns whether the last start tag is HTML. */
function apply(open: ForeignContent, tags: string): boolean {
  let isHtml = true;
  for (const tag of tags.match(/[^<>]+/g) ?? []) {
    const [name = '', attributes = ''] = tag.replace(/\/$/, '').split(/(?= )/);
    if (name.startsWith('/')) open.endTag(name.slice(1), false);
    else isHtml = open.startTag(name, tag.endsWith('/'), () => `${attributes} `);
  }
  return isHtml;
}

/** Tags, and whether the last start tag is HTML. */
const STARTS: [tags: string, isHtml: boolean][] = [
  ['<svg><g>', false],
  ['<svg/><g>', true],
  ['<svg><title><b>', true],
  ['<svg><desc><b>', true],
  ['<svg><foreignobject><div>', true],
  ['<svg><foreignobject/><g>', false],
  ['<svg><foreignobject><svg><g>', false],
  ['<svg><foreignobject><div></foreignobject><g>', false],
  ['<svg><p>', true],
  ['<svg><a>', false],
  ['<svg><font>', false],
  ['<svg><font color=red>', true],
  ['<svg><font colors=red>', false],
  ['<math><mi><b>', true],
  ['<math><mi><mglyph>', false],
  ['<math><mi><malignmark>', false],
  ['<math><title><g>', false],
  ['<math><annotation-xml><svg>', true],
  ['<math><annotation-xml><a>', false],
  ['<math><annotation-xml encoding=text/html><a>', true],
  ['<math><annotation-xml encoding="application/xhtml+xml"><a>', true],
  ['<math><annotation-xml encoding=text/plain><a>', false],
  ['<svg><g><p><g>', true],
  ['<math><mi><svg><g><p><b>', true],
  ['<math><annotation-xml encoding=text/html><svg><g><p><a>', true],
  ['<svg><desc><svg><g><p><a>', true],
  ['<template><svg><p></template><g>', true],
  ['<svg></svg><g>', true],
  ['</template><svg><g>', false],
  ['<svg></template><g>', false],
  ['<svg><g></p><g>', true],
  ['<svg><g></br><g>', true],
  ['<svg><g></x><g>', false],
  ['<template><svg></template><g>', true],
  ['<svg><foreignobject><p></svg><g>', true],
  ['<svg><foreignobject><svg></svg><a>', true],
];

describe('the templates and foreign elements that are open', () => {
  for (const [tags, isHtml] of STARTS)
    it(`${tags} is ${isHtml ? 'HTML' : 'foreign'}`, () => {
      assert.equal(apply(new ForeignContent(), tags), isHtml);
    });

  it('are none after all templates and foreign elements have ended', () => {
    const open = new ForeignContent();
    assert.ok(open.isEmpty);
    apply(open, '<template><svg><foreignobject><div><br>');
    assert.deepEqual([open.isEmpty, open.isInTemplate, open.isForeign], [false, true, false]);
    apply(open, '</foreignobject>');
    assert.deepEqual([open.isInTemplate, open.isForeign], [true, true]);
    apply(open, '</template>');
    assert.deepEqual([open.isEmpty, open.isInTemplate, open.isForeign], [true, false, false]);
  });

  it('include no HTML of a template, which may be deep', () => {
    const open = new ForeignContent();
    apply(open, `<template>${'<div>'.repeat(MAX_DEPTH)}<template></template>`);
    assert.ok(open.isInTemplate);
    apply(open, '</template>');
    assert.ok(open.isEmpty);
  });

  it('include no void element and no element of text inside an integration point', () => {
    const open = new ForeignContent();
    apply(open, `<svg><foreignobject>${'<br><script>'.repeat(MAX_DEPTH)}<template>`);
    assert.ok(open.isInTemplate);
  });

  it('are at most 512', () => {
    const open = new ForeignContent();
    apply(open, `<svg>${'<g>'.repeat(MAX_DEPTH - 2)}<foreignobject>`);
    assert.equal(apply(open, '<a>'), true);
    apply(open, `</foreignobject><g><foreignobject>`);
    assert.equal(apply(open, '<a>'), false);
  });

  it('end in the document around them if the end tag of an element around ends plain SVG', () => {
    for (const [tags, name, isOpenAround, isEmpty] of [
      ['<svg><g>', 'div', true, true],
      ['<svg><g>', 'div', false, false],
      ['<svg><g>', 'body', true, false],
      ['<svg><g>', 'html', true, false],
      ['<svg><g>', 'head', true, false],
      ['<svg><g>', 'br', true, true],
      ['<svg><g>', 'title', true, false],
      ['<svg><desc>', 'div', true, false],
      ['<svg><g>', 'g', true, false],
      ['<svg><foreignobject><p>', 'svg', true, false],
      ['<svg><g>', 'svg', true, true],
      ['<svg><foreignobject><svg>', 'div', true, false],
      ['<svg><foreignobject>', 'div', true, false],
      ['<template><svg>', 'div', true, false],
    ] as const) {
      const open = new ForeignContent();
      apply(open, tags);
      open.endTag(name, isOpenAround);
      assert.equal(open.isEmpty, isEmpty, `${tags}</${name}>`);
    }
  });
});
