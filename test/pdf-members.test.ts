/** The parser of a PDF request follows the rows of its options: their types, bounds, choices and examples. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import type { OptionRow } from '#options';
import { parsePdfRequest, PDF_OPTIONS } from '#pdf/request';

const ROWS = Object.entries<OptionRow>(PDF_OPTIONS);

/** Returns the member that the parser finds at fault; null if it accepts the request. */
function findFault(members: object): string | null {
  try {
    parsePdfRequest({ html: '<p>', ...members });
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.param ?? '';
  }
}

/** Values beyond the bounds of a row, each with what is wrong with it. */
function listInvalid({ type, maxLength, maxItems, maxBytes, minimum, maximum, ...row }: OptionRow) {
  const invalid: [fault: string, value: unknown][] = [['type', type === 'boolean' ? 'true' : true]];
  if (maxLength !== undefined) invalid.push(['length', 'a'.repeat(maxLength + 1)]);
  if (maxBytes !== undefined) invalid.push(['bytes', 'a'.repeat(maxBytes + 1)]);
  if (maxItems !== undefined) invalid.push(['items', Array.from({ length: maxItems + 1 }, () => 'a')]);
  if (minimum !== undefined) invalid.push(['least', minimum / 2]);
  if (maximum !== undefined) invalid.push(['most', maximum * 2]);
  if (row.enum !== undefined) invalid.push(['choice', 'no such choice']);
  if (row.items?.enum !== undefined) invalid.push(['item', ['no such choice']]);
  return invalid;
}

describe('the parser of a PDF request', () => {
  it('accepts the example of each row, unless another member is missing', () => {
    for (const [name, { example, needs }] of ROWS) {
      const needed = needs === undefined ? {} : { [needs]: PDF_OPTIONS[needs as 'html'].example };
      assert.notEqual(findFault({ ...needed, [name]: example }), name, name);
    }
  });

  it('accepts null for each member but html, which is the same as none', () => {
    const plain = parsePdfRequest({ html: '<p>' });
    for (const [name, { required }] of ROWS)
      if (!required) assert.deepEqual(parsePdfRequest({ html: '<p>', [name]: null }), plain, name);
  });

  it('refuses what is beyond the type, the bounds and the choices of each row', () => {
    for (const [name, row] of ROWS)
      for (const [fault, value] of listInvalid(row))
        assert.match(
          findFault({ [name]: value }) ?? 'accepted',
          new RegExp(`^${name}\\b`),
          `${name}: ${fault}`,
        );
  });
});
