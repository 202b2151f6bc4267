import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CdpDataTooLargeError, CdpError } from '#browser';
import { ApiError } from '#errors';
import { toApiError } from './to-api-error.ts';

void it('reports a PDF that is too large by the class of its error, not by a text', () => {
  const isTooLarge = (error: unknown): boolean => {
    const converted = toApiError(error);
    return converted instanceof ApiError && converted.message.includes('192 MiB');
  };
  assert.equal(isTooLarge(new CdpDataTooLargeError('the data')), true);
  assert.equal(isTooLarge(new CdpError('Invalid parameters: the number is too large')), false);
});
