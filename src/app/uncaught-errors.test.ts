import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { withPlace } from '#limits';
import { ApiError } from '#errors';
import { countUncaughtErrors, judgeUncaughtError, recordUncaughtError } from './uncaught-errors.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** An error with the stack that it would have if it were thrown in this file. */
function thrownIn(path: string, error: Error = new TypeError('x is not a function')): Error {
  error.stack = `${error.name}: ${error.message}\n    at f (file:///app/${path}:1:1)\n    at node:internal/timers:1:1`;
  return error;
}

const withCode = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

const CASES: [name: string, error: unknown, reason: ReturnType<typeof judgeUncaughtError>][] = [
  ['JSON.parse in a stream', thrownBy(() => JSON.parse('{')), null],
  ['a TypeError of the browser module', thrownIn('src/pdf/browser/page.ts'), null],
  ['a TypeError of the egress module', thrownIn('src/egress/fetch-page.ts'), null],
  ['a TypeError of the HTTP module', thrownIn('src/http/server.ts'), null],
  ['a socket that was reset', withCode('ECONNRESET'), null],
  ['a pipe that was closed', withCode('EPIPE'), null],
  ['a program that does not exist', withCode('ENOENT'), null],
  ['a worker out of memory', withCode('ERR_WORKER_OUT_OF_MEMORY'), null],
  ['a string that is too long', thrownBy(() => 'x'.repeat(2 ** 30)), null],
  ['a stack that is too deep', new RangeError('Maximum call stack size exceeded'), null],
  ['a refusal of the shares', thrownIn('src/limits/shares/ledger.ts', new ApiError('overloaded')), null],
  [
    'a cancellation',
    thrownIn('src/storage/open.ts', thrownBy(() => AbortSignal.abort().throwIfAborted()) as Error),
    null,
  ],
  [
    'a message that quotes a path',
    new Error('no /src/storage/ here\n    at f (file:///app/src/limits/shares/x.ts:1:1)'),
    null,
  ],
  ['a string', 'planted', null],
  ['null', null, null],
  ['undefined', undefined, null],
  ['an object that cannot be read', new Proxy(new Error('x'), { get: () => assert.fail('no') }), null],
  ['an allocation that failed', thrownBy(() => new ArrayBuffer(Number.MAX_SAFE_INTEGER)), 'memory'],
  ['a buffer that failed', thrownBy(() => Buffer.allocUnsafe(2 ** 40)), 'memory'],
  ['ENOMEM', withCode('ENOMEM'), 'memory'],
  ['an assertion', thrownBy(() => assert.fail()), 'assertion'],
  ['an assertion within Node.js', withCode('ERR_INTERNAL_ASSERTION'), 'assertion'],
  ['an error of SQLite', thrownBy(() => new DatabaseSync(':memory:').exec('x')), 'storage'],
  ['a TypeError of the storage module', thrownIn('src/storage/sql/keys.ts'), 'storage'],
  ['an error that SQLite caused', new Error('x', { cause: withCode('ERR_SQLITE_ERROR') }), 'storage'],
  [
    'several errors, one of SQLite',
    new AggregateError([new Error('x'), withCode('ERR_SQLITE_ERROR')]),
    'storage',
  ],
  ['a TypeError of the shares', thrownIn('src/limits/shares/ledger.ts'), 'shared state'],
  ['a TypeError of the rate limits', thrownIn('src/limits/rate/windows.ts'), 'shared state'],
  ['a TypeError of the usage counts', thrownIn('src/usage/recorder.ts'), 'shared state'],
];

describe('an uncaught error', () => {
  for (const [name, error, reason] of CASES)
    it(`${name}: ${reason === null ? 'is survived' : `ends the process (${reason})`}`, () => {
      assert.equal(judgeUncaughtError(error), reason);
    });

  it('the causes of an error are followed, also if they form a cycle', () => {
    const error = new Error('x');
    error.cause = error;
    assert.equal(judgeUncaughtError(error), null);
  });

  it('ten within a minute are survived, an eleventh is not; all are counted', () => {
    const before = countUncaughtErrors();
    const reasons = Array.from({ length: 11 }, (_, index) =>
      recordUncaughtError(new Error('x'), index * 6_000),
    );
    assert.deepEqual(
      reasons,
      Array.from({ length: 11 }, () => null),
      'the first is a minute old',
    );
    assert.equal(recordUncaughtError(new Error('x'), 60_001), 'too many');
    assert.equal(recordUncaughtError(new Error('x'), 600_000), null);
    assert.equal(recordUncaughtError(withCode('ENOMEM'), 600_000), 'memory');
    assert.equal(countUncaughtErrors() - before, 14);
  });
});

it('an error of work that holds a place is survived', async () => {
  const place = { release() {}, resize() {} };
  const request = {
    kind: 'pageConnections',
    holder: { accountId: 'a', slots: null },
    signal: undefined,
  } as const;
  const error: unknown = await withPlace({ acquire: () => Promise.resolve(place) }, request, async () => {
    await Promise.resolve();
    throw new TypeError('in a fetch');
  }).catch((thrown: unknown) => thrown);
  assert.match((error as Error).stack ?? '', /with-place/);
  assert.equal(judgeUncaughtError(error), null);
});
