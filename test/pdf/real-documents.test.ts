/**
 * Real documents have the pixels that plain Chromium prints. Those in fixtures/real-documents are a sample of
 * bench/pdf/real-documents/documents.json; `npm run bench -- pdf-real` compares them all.
 */
import assert from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { sample } from '../support/sample.ts';
import { compareWithChromium, fetchFrom, serveFolders, toUrl } from './support/compare-with-chromium.ts';
import { openPlainChromium, type PlainChromium } from './support/plain-chromium.ts';
import { shareEngine } from './support/shared-engine.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/real-documents');
/** Paths of documents; the first folder is the package. */
const DOCUMENTS = globSync('**/*.html', { cwd: FOLDER }).toSorted();

/** Each package has an origin of its own. */
const toOrigin = (name: string): string => `https://${name.replaceAll('_', '-')}.example`;
const findFile = serveFolders(
  new Map(readdirSync(FOLDER).map((name) => [toOrigin(name), join(FOLDER, name)])),
);
let engine: PdfEngine;
let chromium: PlainChromium;

before(async () => {
  engine = await shareEngine(fetchFrom(findFile));
  chromium = await openPlainChromium(findFile);
});
after(() => chromium[Symbol.asyncDispose]());

describe('a real document has the pixels that plain Chromium prints', () => {
  it('the sample is there', () => assert.ok(DOCUMENTS.length >= 8, `${DOCUMENTS.length} documents`));
  for (const path of sample(DOCUMENTS, 3))
    it(path, async () => {
      const [name = '', ...rest] = path.split('/');
      const url = toUrl(toOrigin(name), rest.join('/'));
      const { verdict, detail } = await compareWithChromium(url, { engine, chromium, findFile });
      assert.equal(verdict, 'equal', detail);
    });
});
