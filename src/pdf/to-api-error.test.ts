import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkerFailure } from '#concurrency';
import { ApiError } from '#errors';
import {
  BrowserUnavailableError,
  CdpDataTooLargeError,
  CdpError,
  PageLostError,
  type LossReason,
} from '#browser';
import { parsePdfRequest } from './pdf-request.ts';
import { toApiError } from './to-api-error.ts';

const request = parsePdfRequest({ html: '<p>x' });

/** Returns what a caller gets for the error. */
function toAnswer(error: unknown): [code: string, message: string] {
  const found = toApiError(error, request, { timeoutMs: 30_000 });
  assert.ok(found instanceof ApiError);
  assert.equal(found.cause, error);
  return [found.code, found.message];
}

void describe('the error of a render', () => {
  void it('is timeout at the deadline', () => {
    assert.equal(toAnswer(new PageLostError('deadline'))[0], 'timeout');
  });

  void it('is render_failed with what to do if the page was lost', () => {
    const words: [LossReason, RegExp][] = [
      ['crashed', /make it simpler/],
      ['closed', /window\.close/],
      ['navigated', /remove what changes its location/],
      ['dialogs', /alert\(\)/],
      ['flood', /remove the loop/],
      ['memory', /memory limit/],
      ['frame', /observers/],
      ['discarded', /canceled/],
      ['browser', /browser ended/],
    ];
    for (const [reason, word] of words) {
      const [code, message] = toAnswer(new PageLostError(reason));
      assert.equal(code, 'render_failed');
      assert.match(message, word);
    }
  });

  void it('names the @page rule if Chromium finds no room for the content', () => {
    for (const words of [
      'invalid print parameters: content area is empty',
      'margin too large',
      'paper size',
    ]) {
      const [code, message] = toAnswer(new CdpError(words));
      assert.equal(code, 'render_failed');
      assert.match(message, /@page rule/);
    }
  });

  void it('names the size of a PDF that is too large, and nothing of other failures of the browser', () => {
    assert.match(toAnswer(new CdpDataTooLargeError('too large'))[1], /192 MiB/);
    const [code, message] = toAnswer(new CdpError('Printing failed'));
    assert.equal(code, 'render_failed');
    assert.doesNotMatch(message, /@page|MiB|Printing/);
  });

  void it('is unavailable with Retry-After without a browser', () => {
    const error = toApiError(new BrowserUnavailableError(7, null), request, { timeoutMs: 30_000 });
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'unavailable');
    assert.equal(error.retryAfterSeconds, 7);
  });

  void it('is render_failed if the thread that prepares documents fails', () => {
    assert.match(toAnswer(new WorkerFailure('memory'))[1], /memory limit/);
    assert.equal(toAnswer(new WorkerFailure('late'))[0], 'render_failed');
  });

  void it('stays as it is if it is of another kind', () => {
    const error = new TypeError('x');
    assert.equal(toApiError(error, request, { timeoutMs: 30_000 }), error);
  });
});
