import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { parsePdfRequest, PDF_OPTIONS } from '#pdf/request';
import { formatOpenApiDoc } from '../scripts/generated-docs.ts';
import { expandReferences } from './support/expand-references.ts';

interface Schema {
  maxLength?: number;
}

/** A valid text of any length of each member that is limited in characters. */
const TEXTS: Record<string, (length: number) => string> = {
  author: (length) => 'a'.repeat(length),
  base_url: (length) => 'http://example.com/'.padEnd(length, 'a'),
  filename: (length) => 'a'.repeat(length),
  lang: (length) => 'en-x'.padEnd(length - (length % 4), '-abc') + 'd'.repeat(length % 4),
  page_ranges: (length) => (length % 2 === 0 ? '10' : '1').padStart(length, '1,'),
  subject: (length) => 'a'.repeat(length),
  title: (length) => 'a'.repeat(length),
  wait_for: (length) => 'a'.repeat(length),
  wait_for_expression: (length) => 'a'.repeat(length),
};

describe('OpenAPI describes, of a PDF request,', () => {
  let described: Record<string, Schema> = {};
  before(async () => {
    const document = expandReferences(await formatOpenApiDoc()) as {
      paths: Record<
        string,
        {
          post: {
            requestBody: { content: Record<string, { schema: { properties: Record<string, Schema> } }> };
          };
        }
      >;
    };
    const content = document.paths['/v1/pdf/generate']?.post.requestBody.content;
    described = content?.['application/json']?.schema.properties ?? {};
  });

  it('exactly the members that the parser accepts', () => {
    const names = Object.keys(described);
    assert.ok(names.length > 10);
    for (const member of names)
      assert.doesNotThrow(
        () => parsePdfRequest({ html: 'x', [member]: member === 'html' ? 'x' : null }),
        `${member} is described but rejected`,
      );
    assert.deepEqual(names.toSorted(), Object.keys(PDF_OPTIONS).toSorted());
  });

  it('the most characters of each text, as the parser checks them and docs/reference/pdf.md states them', () => {
    const docs = readFileSync(new URL('../docs/reference/pdf.md', import.meta.url), 'utf8').split('\n');
    const limits = new Map(Object.entries(described).map(([name, schema]) => [name, schema.maxLength]));
    for (const [name, makeText] of Object.entries(TEXTS)) {
      const limit = limits.get(name);
      assert.ok(limit, `${name} has no maxLength`);
      assert.doesNotThrow(() => parsePdfRequest({ html: 'x', [name]: makeText(limit) }), name);
      assert.throws(() => parsePdfRequest({ html: 'x', [name]: makeText(limit + 1) }), { param: name });
      const row = docs.find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      assert.ok(row.includes(`up to ${limit.toLocaleString('en')} characters`), row);
    }
    const limited = [...limits].filter(([, limit]) => limit !== undefined).map(([name]) => name);
    assert.deepEqual(limited.toSorted(), Object.keys(TEXTS).toSorted());
  });
});
