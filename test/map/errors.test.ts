/**
 * An error is added in all of its places: the table, a throw, the responses that an operation describes, the
 * generated docs.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ERRORS } from '#errors';
import { BATCH_BODY, METADATA_BATCH_BODY } from '../../src/http/v1/batch-body.ts';
import { getLiteralText, type Node, parseSource, walk } from '../../scripts/source/syntax-tree.ts';
import { describeOperations } from './operations.ts';
import { findFiles, loadText } from './checkout.ts';

const MIB = 1024 * 1024;

/** Errors of no operation: those of an unknown path and of /mcp. */
const OF_NO_OPERATION = new Set(['not_found', 'forbidden_origin']);

it('each error is described by an operation', async () => {
  const operations = Object.values(await describeOperations());
  for (const code of Object.keys(ERRORS)) {
    if (OF_NO_OPERATION.has(code)) continue;
    assert.ok(
      operations.some(({ errors }) => errors.has(code)),
      `${code}: no route names it; add it to errorResponses(…) of each operation that returns it`,
    );
  }
});

it('payload_too_large is described for each operation that takes a body, by the limit of its own', () => {
  for (const limit of ['html: 5 MiB', 'emails: 4 MiB', 'URLs: 3 MiB'])
    assert.ok(ERRORS.payload_too_large.sentence.includes(limit), limit);
  assert.deepEqual([BATCH_BODY.maxBytes, METADATA_BATCH_BODY.maxBytes], [4 * MIB, 3 * MIB]);
});

it('each error is thrown and documented', () => {
  const thrown = new Set(findFiles('src/**/*.ts').flatMap((path) => [...findErrorCodes(path)]));
  const docs = loadText('docs/guides/errors.md');
  for (const code of Object.keys(ERRORS)) {
    assert.ok(thrown.has(code), `${code}: no code of src/ refers to it; throw an ApiError or delete the row`);
    assert.ok(docs.includes(`\`${code}\``), `${code} is not in docs/guides/errors.md: run npm run docs`);
  }
});

/** The literals of a file that may be identifiers of errors; the table itself aside. */
function findErrorCodes(path: string): Set<string> {
  const found = new Set<string>();
  if (path === 'src/errors.ts' || path.endsWith('.test.ts')) return found;
  walk(parseSource(path, loadText(path)).program, (node: Node) => {
    const text = getLiteralText(node);
    if (text !== null && Object.hasOwn(ERRORS, text)) found.add(text);
  });
  return found;
}
