import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import type { GetMetadataRequest, MetadataResult } from '#metadata';
import { pino } from 'pino';
import type { GetMetadata } from './get-metadata.ts';
import { BatchAnswers, type BatchAnswersOptions } from './metadata-batch-answers.ts';

const PAGE: MetadataResult = {
  url: 'http://a.example/',
  title: 'A',
  description: null,
  favicon: null,
  og: { title: null, description: null, image: null, url: null, type: null, siteName: null },
  twitter: { card: null, site: null, title: null, description: null, image: null },
  charset: null,
  language: null,
};
const REQUEST: GetMetadataRequest = {
  url: PAGE.url,
  followRedirects: true,
  timeoutMs: 10_000,
  details: false,
};
const { signal } = new AbortController();

function openAnswers(getMetadata: GetMetadata, change: Partial<BatchAnswersOptions> = {}) {
  const clock = { ms: 0 };
  const logged: string[] = [];
  const answers = new BatchAnswers({
    requests: [REQUEST],
    caller: { accountId: 'a', slots: null },
    getMetadata,
    holdBytes: () => () => {},
    logger: pino({}, { write: (line: string) => void logged.push(line) }),
    onFailedItem: () => {},
    requestId: 'id',
    now: () => clock.ms,
    ...change,
  });
  const read = async () =>
    JSON.parse((await answers.answer(0, signal)).json.toString()) as MetadataResult & {
      index: number;
      age?: number;
      error?: { status: number; error: string; message: string; param?: string };
    };
  return { clock, logged, answers, read };
}

describe('an answer of a batch', () => {
  it('is the result of a single request, with its index, and its age if it is cached', async () => {
    const { read } = openAnswers(async () => PAGE);
    const { index, age, title, url } = await read();
    assert.deepEqual([index, age, title, url], [0, undefined, 'A', PAGE.url]);
    const cached = openAnswers(async () => ({ ...PAGE, ageSeconds: 0 }));
    assert.equal((await cached.read()).age, 0);
  });

  it('is the error of a single request, with its status, index and URL', async () => {
    const { read } = openAnswers(async () => {
      throw new ApiError('invalid_url', 'no', { param: 'url' });
    });
    assert.deepEqual(await read(), {
      index: 0,
      url: PAGE.url,
      error: { status: 400, error: 'invalid_url', message: 'no', param: 'url' },
    });
  });

  it('is internal, and logged, if the service fails', async () => {
    const { read, logged } = openAnswers(async () => {
      throw new TypeError('secret');
    });
    const { error } = await read();
    assert.deepEqual([error?.status, error?.error], [500, 'internal']);
    assert.doesNotMatch(error?.message ?? '', /secret/);
    assert.match(logged.join(), /"requestId":"id".*secret/);
  });

  it('is the error of the account’s memory if the result does not fit into it', async () => {
    const { read } = openAnswers(async () => PAGE, {
      holdBytes: () => {
        throw new ApiError('rate_limit_exceeded');
      },
    });
    assert.equal((await read()).error?.error, 'rate_limit_exceeded');
  });

  it('rejects with the reason of the signal if that aborts', async () => {
    const controller = new AbortController();
    const { answers } = openAnswers(async () => {
      controller.abort(new Error('gone'));
      throw new ApiError('unreachable');
    });
    await assert.rejects(answers.answer(0, controller.signal), /gone/);
  });
});

describe('the time of a batch', () => {
  it('waits for a place without a limit of its own, and tries again where a single request is refused', async () => {
    const waits: unknown[] = [];
    const errors = [new ApiError('overloaded'), new ApiError('rate_limit_exceeded')];
    const { read } = openAnswers(async (_request, _caller, _signal, options) => {
      waits.push(options?.maxWaitMs);
      const error = errors.shift();
      if (error === undefined) return PAGE;
      throw new ApiError(error.code, undefined, { retryAfterSeconds: 0.001 });
    });
    assert.equal((await read()).title, 'A');
    assert.deepEqual(waits, [Infinity, Infinity, Infinity]);
  });

  it('does not try again after other errors', async () => {
    for (const code of ['unreachable', 'timeout', 'unavailable'] as const) {
      let calls = 0;
      const { read } = openAnswers(async () => {
        calls += 1;
        throw new ApiError(code);
      });
      assert.deepEqual([(await read()).error?.error, calls], [code, 1]);
    }
  });

  it('is 60 s: each URL has its own timeout within them, and those that are left are a timeout', async () => {
    const timeouts: number[] = [];
    const { read, clock } = openAnswers(async ({ timeoutMs }) => {
      timeouts.push(timeoutMs);
      return PAGE;
    });
    for (const ms of [0, 50_000, 59_000]) {
      clock.ms = ms;
      assert.equal((await read()).title, 'A');
    }
    clock.ms = 60_000;
    const { error } = await read();
    assert.deepEqual([error?.status, error?.error], [408, 'timeout']);
    assert.match(error?.message ?? '', /The 60 s of the batch ended/);
    assert.deepEqual(timeouts, [10_000, 10_000, 1_000]);
  });

  it('is the reason that is given if it ended before the timeout of the URL', async () => {
    const { read, clock } = openAnswers(async () => {
      throw new ApiError('timeout', 'The target URL did not answer');
    });
    assert.match((await read()).error?.message ?? '', /^The target URL/);
    clock.ms = 55_000;
    assert.match((await read()).error?.message ?? '', /^The 60 s of the batch/);
  });

  it('ends an answer that waits for a place: it is a timeout, not overloaded', async () => {
    const { read, clock } = openAnswers(async () => {
      clock.ms += 30_000;
      throw new ApiError('overloaded', undefined, { retryAfterSeconds: 0.001 });
    });
    assert.equal((await read()).error?.error, 'timeout');
  });
});
