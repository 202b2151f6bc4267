import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { ForwardedBody } from './try-routes.ts';

function open() {
  const source = new PassThrough();
  const aborter = new AbortController();
  return { source, aborter, body: new ForwardedBody(source, aborter.signal) };
}

describe('a forwarded body', () => {
  it('is that of its source, and has no error if the source closes after its end', async () => {
    const { source, body } = open();
    source.write('{"a":');
    source.end('1}');
    assert.equal(await text(body), '{"a":1}');
    source.destroy();
    await setImmediate();
    assert.equal(body.errored, null);
  });

  it('fails with ECONNRESET if its source closes before its end', async () => {
    const { source, body } = open();
    body.resume();
    source.write('{"a":');
    await setImmediate();
    assert.equal(body.errored, null);
    source.destroy();
    await setImmediate();
    assert.equal((body.errored as NodeJS.ErrnoException | null)?.code, 'ECONNRESET');
  });

  it('fails with the error of its source, and with the reason of the signal', async () => {
    const failing = open();
    failing.source.destroy(new Error('broken'));
    await assert.rejects(text(failing.body), { message: 'broken' });
    const aborted = open();
    aborted.aborter.abort(new Error('too slow'));
    await assert.rejects(text(aborted.body), { message: 'too slow' });
  });
});
