import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatError } from './create-logger.ts';

/** Returns what is logged of an error, as text. */
const format = (error: unknown): string => JSON.stringify(formatError(error));

/** Returns the error that `run` throws. */
function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

describe('an error in the log', () => {
  const cases: [name: string, error: unknown][] = [
    ['an email address', new Error('no mailbox hunter2@example.com here')],
    ['a URL', new Error('cannot GET https://example.com/hunter2?x=1')],
    ['a URL with a password', new Error('connect to postgres://user:hunter2@db/app')],
    ['the start of a document', catchError(() => JSON.parse('hunter2, a document'))],
    ['a short document', catchError(() => JSON.parse('{"hunter2":'))],
    ['a row of the database', Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(hunter2)' })],
    ['the options of a connection', Object.assign(new Error('x'), { options: { auth: 'hunter2' } })],
    ['a thrown object', { html: 'hunter2' }],
    ['the cause of a cause', new Error('a', { cause: new Error('b', { cause: new Error('b@hunter2.de') }) })],
    ['a combined error', new AggregateError([new Error('http://hunter2.example')], 'all failed')],
  ];
  for (const [name, error] of cases)
    it(`does not repeat ${name}`, () => assert.doesNotMatch(format(error), /hunter2/));

  it('has type, code, message, stack and causes', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const logged = formatError(new TypeError('failed', { cause }));
    assert.equal(logged.type, 'TypeError');
    assert.equal(logged.message, 'failed');
    assert.match(logged.stack ?? '', /create-logger\.test\.ts/);
    assert.equal(logged.cause?.code, 'ECONNREFUSED');
  });

  it('a circle of causes ends, and a message of a megabyte is cut', () => {
    const circle = new Error('x'.repeat(1024 * 1024));
    circle.cause = circle;
    assert.ok(format(circle).length < 60_000);
  });

  it('a hostile text takes no time that grows with its square', () => {
    const startedAt = process.cpuUsage();
    for (let n = 0; n < 10; n += 1) format(new Error((n % 2 === 0 ? 'a' : 'a.').repeat(1024 * 1024)));
    const { user, system } = process.cpuUsage(startedAt);
    assert.ok(user + system < 300_000, `${user + system} µs`);
  });
});
