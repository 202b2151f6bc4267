import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CdpDataTooLargeError, CdpError, PageLostError } from '#browser';
import { ApiError } from '#errors';
import { parsePdfRequest } from '../pdf-request.ts';
import { toApiError } from './to-api-error.ts';

/** Converts an error of the render of `members`. */
function convert(error: unknown, members: Record<string, unknown> = {}): unknown {
  return toApiError(error, parsePdfRequest({ html: '<p>x', ...members }), 30_000);
}

void it('reports a PDF that is too large by the class of its error, not by a text', () => {
  const isTooLarge = (error: unknown): boolean => {
    const converted = convert(error);
    return converted instanceof ApiError && converted.message.includes('192 MiB');
  };
  assert.equal(isTooLarge(new CdpDataTooLargeError('the data')), true);
  assert.equal(isTooLarge(new CdpError('Invalid parameters: the number is too large')), false);
});

void describe('the error of a document that was not rendered in time', () => {
  const format = (members: Record<string, unknown>): string => {
    const converted = convert(new PageLostError('deadline'), members);
    assert.ok(converted instanceof ApiError && converted.code === 'timeout');
    return converted.message.replace('The document did not finish rendering within ', '');
  };
  const raise = 'or send a selector as wait_for, such as "body", which raises the limit to 30 s.';
  const large = 'x'.repeat(1_000_000);

  void it('says what raises the limit, unless the request has it or the limit is the highest', () => {
    assert.equal(format({}), `10 s: make it smaller, ${raise}`);
    assert.equal(format({ html: large }), `14 s: make it smaller, ${raise}`);
    assert.equal(format({ html: large.repeat(5) }), '30 s: make it smaller.');
    assert.equal(format({ wait_for: 'body' }), '30 s: make it smaller.');
  });

  void it('names wait_for only if it is a time', () => {
    assert.equal(format({ wait_for: 2_500 }), '12.5 s: make it smaller, or shorten wait_for.');
  });

  void it('names scripts and wait_for_expression if there are some that run', () => {
    const html = '<script>for (;;);</script>';
    assert.equal(
      format({ html }),
      `10 s: check its scripts for loops without end, make it smaller, ${raise}`,
    );
    assert.equal(format({ html, javascript: false }), `10 s: make it smaller, ${raise}`);
    assert.equal(
      format({ wait_for_expression: 'x' }),
      '30 s: check wait_for_expression for loops without end, or make it smaller.',
    );
  });
});
