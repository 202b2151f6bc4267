import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, mock } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ApiError } from '#errors';
import type { PageEnd } from '#metadata';
import { DeadlineExceeded } from '#concurrency';
import { Refusal } from '../guard/refusal.ts';
import type { Exchange } from './exchange.ts';
import type { RawHeaders } from './headers.ts';
import { type HopOutcome, ReaderError, ResponseHop, type ResponseHopOptions } from './response-hop.ts';

const URL_HERE = 'https://site.example/page';
const MAX_DECODED_BYTES = 10;
const TEXT = 'text text text text';

type Outcome = HopOutcome | { failure: unknown };

/** Starts a hop whose response has this status and these headers. `calls`: what it did to the exchange. */
function open(
  status: number,
  headers: Record<string, string> = {},
  options: Partial<ResponseHopOptions> = {},
) {
  const calls: string[] = [];
  const outcomes: Outcome[] = [];
  const read: string[] = [];
  const settled = Promise.withResolvers<Outcome>();
  const settle = (outcome: Outcome): void => {
    outcomes.push(outcome);
    settled.resolve(outcome);
  };
  const hop = new ResponseHop({
    url: new URL(URL_HERE),
    followRedirects: true,
    redirects: [],
    reader: { start: () => true, write: (bytes) => read.push(Buffer.from(bytes).toString()) > 0 },
    maxDecodedBytes: MAX_DECODED_BYTES,
    settle,
    fail: (failure) => settle({ failure }),
    ...options,
  });
  const call = (name: string) => () => void calls.push(name);
  const exchange = {
    pause: call('pause'),
    resume: call('resume'),
    cancel: call('cancel'),
    discardRest: call('discardRest'),
    fail: (error: unknown) => hop.onError(error),
  } as unknown as Exchange;
  const raw: RawHeaders = Object.entries(headers)
    .flat()
    .map((text) => Buffer.from(text, 'latin1'));
  hop.onHead(status, raw, exchange);
  const getEnd = (): PageEnd | undefined => {
    const [outcome] = outcomes;
    return outcome && 'end' in outcome ? outcome.end : undefined;
  };
  return { hop, calls, outcomes, read, settled: settled.promise, getEnd };
}

const codedError = (code: string): Error => Object.assign(new Error(code), { code });
const openRedirect = (location = '/next') => open(302, { location });
const openZipped = (options: Partial<ResponseHopOptions> = {}) =>
  open(200, { 'content-encoding': 'gzip' }, { maxDecodedBytes: 100, ...options });

describe('a reader that has enough', () => {
  const reader = {
    isEnough: false,
    start: () => true,
    write(chunk: Uint8Array) {
      this.isEnough ||= chunk.length > 1;
      return true;
    },
  };

  it('gets more for at most 500 ms, however often bytes arrive', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { hop, calls, getEnd } = open(200, {}, { reader });
      hop.onData(Buffer.from('a'));
      mock.timers.tick(10_000);
      assert.equal(getEnd(), undefined, 'not enough yet');
      hop.onData(Buffer.from('bc'));
      mock.timers.tick(499);
      hop.onData(Buffer.from('d'));
      assert.equal(getEnd(), undefined);
      mock.timers.tick(1);
      assert.deepEqual([getEnd(), calls], ['stopped', ['cancel']]);
    } finally {
      mock.timers.reset();
    }
  });

  it('gets the rest of a body that ends before', async () => {
    const { hop, settled, getEnd } = open(200, {}, { reader });
    hop.onData(Buffer.from('bc'));
    hop.onEnd();
    await settled;
    assert.equal(getEnd(), 'complete');
  });
});

describe('a hop that redirects', () => {
  it('to another origin is over at once', () => {
    const { outcomes, calls } = openRedirect('https://other.example/#part');
    const [outcome] = outcomes;
    assert.ok(outcome && 'location' in outcome);
    assert.deepEqual([outcome.kind, outcome.status], ['redirect', 302]);
    assert.equal(outcome.location.href, 'https://other.example/');
    assert.deepEqual(calls, ['cancel']);
  });

  it('to its own origin is over when its body has ended or failed, so that the connection can be reused', () => {
    for (const end of [
      (hop: ResponseHop) => hop.onEnd(),
      (hop: ResponseHop) => hop.onError(codedError('ECONNRESET')),
      (hop: ResponseHop) => hop.onError(new ApiError('overloaded')),
    ]) {
      const { hop, outcomes } = openRedirect();
      hop.onData(Buffer.from('moved'));
      assert.equal(outcomes.length, 0);
      end(hop);
      const [outcome] = outcomes;
      assert.ok(outcome && 'location' in outcome);
      assert.equal(outcome.location.href, 'https://site.example/next');
    }
  });

  it('waits for at most 16 KiB of its body', () => {
    const { hop, outcomes } = openRedirect();
    hop.onData(Buffer.alloc(10 * 1024));
    hop.onData(Buffer.alloc(6 * 1024));
    assert.equal(outcomes.length, 0);
    hop.onData(Buffer.alloc(1));
    assert.equal(outcomes.length, 1);
    hop.onData(Buffer.alloc(1));
    hop.onEnd();
    assert.equal(outcomes.length, 1, 'once');
  });

  it('waits for at most 100 ms', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { outcomes, calls } = openRedirect();
      mock.timers.tick(99);
      assert.deepEqual([outcomes.length, calls], [0, []]);
      mock.timers.tick(1);
      assert.deepEqual([outcomes.length, calls], [1, ['cancel']]);
    } finally {
      mock.timers.reset();
    }
  });

  it('is the last one if redirects are not followed, or without a Location', () => {
    const { hop, getEnd } = open(302, { location: '/next' }, { followRedirects: false });
    hop.onEnd();
    assert.equal(getEnd(), 'complete');
    const bare = open(302);
    bare.hop.onEnd();
    assert.equal(bare.getEnd(), 'complete');
  });

  it('fails if its Location is not a URL', () => {
    const [outcome] = openRedirect('http://').outcomes;
    assert.ok(outcome && 'failure' in outcome && outcome.failure instanceof Refusal);
  });
});

describe('the last hop', () => {
  it('ends as its body does', () => {
    const ends: [end: PageEnd, apply: (hop: ResponseHop) => void][] = [
      ['complete', (hop) => hop.onEnd()],
      ['cut', (hop) => hop.onError(codedError('ECONNRESET'))],
      ['timeout', (hop) => hop.onError(new DeadlineExceeded())],
    ];
    for (const [end, apply] of ends) {
      const { hop, outcomes, read, getEnd } = open(200);
      hop.onData(Buffer.from('text'));
      apply(hop);
      assert.deepEqual([getEnd(), read], [end, ['text']]);
      hop.onError(new Error('later'));
      assert.equal(outcomes.length, 1, 'once');
    }
  });

  it('fails on errors that are not of the body', () => {
    for (const error of [
      new ApiError('overloaded'),
      new Refusal('not allowed'),
      codedError('HPE_INVALID_CHUNK_SIZE'),
      codedError('UND_ERR_HEADERS_OVERFLOW'),
      new TypeError('a fault of our own'),
    ]) {
      const { hop, outcomes } = open(200);
      hop.onError(error);
      assert.deepEqual(outcomes, [{ failure: error }]);
    }
  });

  it('passes as many bytes as the reader may receive, and is capped by one more', () => {
    const { hop, read, getEnd } = open(200);
    hop.onData(Buffer.from('012345678'));
    hop.onData(Buffer.from('9'));
    assert.deepEqual([getEnd(), read], [undefined, ['012345678', '9']]);
    hop.onData(Buffer.from('x'));
    assert.deepEqual([getEnd(), read], ['capped', ['012345678', '9']]);
    const other = open(200);
    other.hop.onData(Buffer.from('0123456789x'));
    assert.deepEqual([other.getEnd(), other.read.join('')], ['capped', '0123456789']);
  });

  it('stops when the reader needs no more: a short rest is discarded, so that the connection can be reused', () => {
    let writes = 0;
    const write = () => (writes += 1) > 1;
    const { hop, calls, getEnd } = open(200, {}, { reader: { start: () => true, write } });
    hop.onData(Buffer.from('text'));
    hop.onData(Buffer.from('rest'));
    assert.deepEqual([getEnd(), calls, writes], ['stopped', ['discardRest'], 1]);
    const none = open(200, {}, { reader: { start: () => false, write: () => true } });
    assert.deepEqual([none.getEnd(), none.calls], ['stopped', ['cancel']]);
  });

  it('fails if the reader does', () => {
    const cause = new Error('a fault of the reader');
    const fault = () => {
      throw cause;
    };
    for (const reader of [
      { start: fault, write: () => true },
      { start: () => true, write: fault },
    ]) {
      const { hop, outcomes } = open(200, {}, { reader });
      hop.onData(Buffer.from('text'));
      assert.equal(outcomes.length, 1);
      const [outcome] = outcomes;
      assert.ok(outcome && 'failure' in outcome && outcome.failure instanceof ReaderError);
      assert.equal(outcome.failure.cause, cause);
    }
  });
});

describe('an encoded body', () => {
  it('is decoded', async () => {
    const { hop, settled, read, getEnd } = openZipped();
    hop.onData(gzipSync(TEXT));
    hop.onEnd();
    await settled;
    assert.deepEqual([getEnd(), read.join('')], ['complete', TEXT]);
  });

  it('that is cut off is passed as far as it goes; it fails if nothing can be decoded', async () => {
    for (const text of [TEXT, 'x']) {
      const { hop, settled, read, getEnd } = openZipped();
      hop.onData(gzipSync(text).subarray(0, -8));
      hop.onError(codedError('ECONNRESET'));
      await settled;
      assert.deepEqual([getEnd(), read.join('')], ['cut', text]);
    }
    const little = openZipped();
    little.hop.onData(gzipSync(TEXT).subarray(0, 4));
    little.hop.onError(codedError('ECONNRESET'));
    const outcome = await little.settled;
    assert.ok('failure' in outcome && outcome.failure instanceof Refusal);
  });

  it('that does not decode fails', async () => {
    const { hop, settled } = openZipped();
    const [head, damaged] = [gzipSync(TEXT).subarray(0, 10), Buffer.alloc(20, 0xff)];
    hop.onData(Buffer.concat([head, damaged]));
    const outcome = await settled;
    assert.ok('failure' in outcome && outcome.failure instanceof Refusal && outcome.failure.cause);
  });

  it('fails if its coding is unknown, unless the reader does not want it', () => {
    const headers = { 'content-encoding': 'odd' };
    const [outcome] = open(200, headers).outcomes;
    assert.ok(outcome && 'failure' in outcome && outcome.failure instanceof Refusal);
    const unwanted = open(200, headers, { reader: { start: () => false, write: () => true } });
    assert.equal(unwanted.getEnd(), 'stopped');
  });

  it('is paused while the decoder has enough, and then resumed', async () => {
    const { hop, calls, settled } = openZipped({ maxDecodedBytes: 100_000_000 });
    hop.onDrain();
    assert.equal(calls.length, 0, 'it was not paused');
    const bytes = gzipSync(randomBytes(100_000));
    hop.onData(bytes.subarray(0, -10));
    assert.deepEqual(calls, ['pause']);
    hop.onEnd();
    await settled;
    assert.deepEqual(calls, ['pause', 'resume', 'cancel']);
  });
});
