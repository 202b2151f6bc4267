/** Each block of the docs has a row in the table, and is well-formed where no service is needed to tell. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse as parseYaml } from 'yaml';
import { loadConfig, SETTINGS } from '#config';
import { openDocument } from '../openapi/open-document.ts';
import { findRow, TABLE } from './block-table.ts';
import { BLOCKS, formatPlace, listBlocks } from './listed-blocks.ts';
import { loadPage, ROOT } from './markdown.ts';
import { parseExample } from './match.ts';
import { checkPrograms } from './programs.ts';
import { parseByPython } from './python.ts';

describe('the table of blocks', () => {
  it('has a row for each block, which has a language', () => {
    assert.ok(BLOCKS.length > 80);
    const missing = BLOCKS.filter((block) => !findRow(block)).map(
      (block) => `${formatPlace(block)} ${block.language}`,
    );
    assert.deepEqual(missing, [], 'these blocks need a row in test/docs/block-table.ts');
  });

  it('has no row without a block', () => {
    const used = new Set(BLOCKS.map(findRow));
    assert.deepEqual(
      TABLE.filter((row) => !used.has(row)),
      [],
    );
  });

  it('names tests that exist and name the page, and reasons', () => {
    for (const [{ path }, { by }] of listBlocks('tested')) {
      assert.ok(existsSync(new URL(by, ROOT)), by);
      const text = loadPage(by).replaceAll('\\', '');
      const names = path.endsWith('/README.md') ? ['README.md', basename(dirname(path))] : [basename(path)];
      assert.ok(
        names.some((one) => text.includes(one)),
        `${by} tests nothing of ${path}`,
      );
    }
    for (const [, { because }] of listBlocks('not run')) assert.ok(because.length > 10);
  });
});

describe('a block of the docs', () => {
  it('with settings has known ones with values that the service accepts', () => {
    const known = new Set<string>(Object.values(SETTINGS).map(({ env }) => env));
    for (const [block] of listBlocks('settings')) {
      const words = block.code.replaceAll('\\\n', ' ').trim().split(/\s+/);
      const pairs = words.filter((word) => /^[A-Z_]+=/.test(word));
      assert.deepEqual(words.slice(pairs.length).join(' ').replace('npm start', ''), '', formatPlace(block));
      const env = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)));
      for (const variable of Object.keys(env))
        assert.ok(
          known.has(variable) || variable.startsWith('OTEL_TRACES_'),
          `${formatPlace(block)}: ${variable}`,
        );
      assert.doesNotThrow(() => loadConfig(env), formatPlace(block));
    }
  });

  it('in JSON or YAML is well-formed', () => {
    for (const [block] of listBlocks('parsed')) {
      if (block.language === 'json') assert.doesNotThrow(() => JSON.parse(block.code), formatPlace(block));
      if (block.language === 'yaml') assert.equal(typeof parseYaml(block.code), 'object', formatPlace(block));
    }
  });

  it('in Python or TOML is well-formed', (t) => {
    const texts = BLOCKS.filter(({ language }) => language === 'python' || language === 'toml');
    assert.ok(texts.length > 8);
    const faults = parseByPython(texts);
    if (faults === null) return t.skip('no Python 3.11');
    assert.deepEqual(faults, []);
  });

  it('with a body, or the part of a response, is valid by its schema', async () => {
    const operations = await openDocument();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [block, { operationId, part }] of listBlocks('valid')) {
      const operation = operations.find((candidate) => candidate.operationId === operationId);
      const body = operation?.requestBody?.content['application/json']?.schema;
      const result = operation?.responses['200']?.content['application/json']?.schema;
      const schema = part === 'body' ? body : { properties: withoutRequired(result?.properties ?? {}) };
      const validate = ajv.compile({ ...schema, additionalProperties: false });
      assert.ok(
        validate(parseExample(block.code)),
        `${formatPlace(block)}: ${ajv.errorsText(validate.errors)}`,
      );
    }
  });

  it('in TypeScript or JavaScript has no error of types', async () => {
    const programs = BLOCKS.filter(({ language }) => language === 'ts' || language === 'js');
    assert.ok(programs.length > 6);
    assert.equal(await checkPrograms(programs), '');
  });
});

/** Allows the details of a result to be shown in part. */
function withoutRequired(properties: Record<string, unknown>): object {
  const { details } = properties as { details?: { properties?: Record<string, unknown> } };
  assert.ok(details?.properties);
  const members = { ...details.properties, '…': true };
  return { details: { ...details, required: [], properties: members, additionalProperties: false } };
}
