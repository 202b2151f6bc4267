import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiError } from '#errors';
import { ClientDisconnected } from '../disconnection.ts';
import { releaseBytes } from './body-format.ts';
import type { ParseQueue } from './parse-queue.ts';
import { createJsonReader, readBody, type ReadBodyOptions } from './read-body.ts';

const MB = 1_000_000;
const limits = {
  members: 9,
  byMember: {},
  others: { depth: 3, values: 9 },
  notObject: 'missing_html' as const,
};

function start(changes: Partial<ReadBodyOptions> = {}) {
  const stream = new PassThrough();
  const reserved: number[] = [];
  const bytes = readBody(stream, {
    maxBytes: 40 * MB,
    announcedBytes: null,
    limits,
    reserve: (held) => void reserved.push(held),
    ...changes,
  });
  bytes.catch(() => {});
  return { stream, reserved, bytes };
}

/** Writes everything and waits until it was read. */
async function write(stream: PassThrough, ...chunks: (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) await new Promise<void>((resolve) => void stream.write(chunk, () => resolve()));
}

/** Frees what has no owner any more. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const body = (length: number): Buffer => Buffer.from(`{"x":"${'a'.repeat(length - 8)}"}`);

void it('a large body is parsed in the share of the account that sends it, a small one at once', async () => {
  const accounts: string[] = [];
  const queue: Pick<ParseQueue, 'run'> = {
    run: ({ format }, { accountId }) => {
      accounts.push(`${format} ${accountId}`);
      return Promise.resolve({ x: '' });
    },
  };
  const readJson = createJsonReader(queue as ParseQueue);
  const format = { name: 'pdf', maxBytes: MB, limits, parse: () => ({ x: '' }), measure: () => 1 };
  const hold = { signal: new AbortController().signal, setBytes() {} };
  for (const [accountId, length] of [
    ['greedy', 65_537],
    ['small', 65_536],
    ['small', 65_537],
  ] as const) {
    const raw = Object.assign(new PassThrough(), { headers: {}, httpVersion: '1.1' });
    raw.end(body(length));
    const server = { malformedRequests: { findBodyFault: () => null } };
    const request = { raw, headers: {}, server, caller: { accountId, slots: null } };
    const [typed, reply] = [request, { raw: new PassThrough() }] as unknown as Parameters<typeof readJson>;
    await readJson(typed, reply, format, hold);
  }
  assert.deepEqual(accounts, ['pdf greedy', 'pdf small']);
});

describe('readBody', () => {
  for (const length of [9, 65_536, 65_537, 300_000, 5 * MB])
    for (const [cut, announced] of [
      [1_000_000_000, true],
      [1_000_000_000, false],
      [65_536, true],
      [1_009, false],
    ] as const)
      it(`a body of ${length} bytes arrives whole, in chunks of ${cut}, its length ${announced ? '' : 'not '}announced`, async () => {
        const sent = body(length);
        const { stream, bytes, reserved } = start({ announcedBytes: announced ? length : null });
        for (let at = 0; at < length; at += cut) stream.write(sent.subarray(at, at + cut));
        stream.end();
        const received = await bytes;
        assert.ok(sent.equals(received));
        assert.deepEqual(
          reserved,
          reserved.toSorted((a, b) => a - b),
          'reservations grow',
        );
        assert.ok((reserved.at(-1) ?? 0) >= length && (reserved.at(-1) ?? 0) < length + 65_536);
        releaseBytes(received);
      });

  it('an empty body has no bytes, and reserves none', async () => {
    const { stream, bytes, reserved } = start();
    stream.end();
    assert.equal((await bytes).length, 0);
    assert.deepEqual(reserved, []);
  });

  it('memory is reserved before it grows, and a refusal ends the reading and discards the rest', async () => {
    const reserved: number[] = [];
    const { stream, bytes } = start({
      announcedBytes: 2 * MB,
      reserve: (held) => {
        reserved.push(held);
        if (held > 500_000) throw new ApiError('rate_limit_exceeded', 'no share left');
      },
    });
    const sent = body(2 * MB);
    for (let at = 0; at < sent.length; at += 10_000) stream.write(sent.subarray(at, at + 10_000));
    await assert.rejects(bytes, { code: 'rate_limit_exceeded', message: 'no share left' });
    assert.ok(reserved.every((held, at) => held === (at + 1) * 65_536));
    stream.end();
    await once(stream, 'end');
  });

  it('an excess of structure ends the reading while the body still arrives', async () => {
    const { stream, bytes } = start({ announcedBytes: 30 * MB });
    stream.write('{"x":[[[[');
    await assert.rejects(bytes, { code: 'invalid_json' });
    await write(stream, Buffer.alloc(MB, '['));
    stream.end();
    await once(stream, 'end');
  });

  it('a body over its limit is payload_too_large: by its announced length, or by the byte over the limit', async () => {
    await assert.rejects(start({ maxBytes: 99, announcedBytes: 100 }).bytes, { code: 'payload_too_large' });
    const { stream, bytes } = start({ maxBytes: 99 });
    stream.end(body(99));
    assert.equal((await bytes).length, 99);
    const longer = start({ maxBytes: 99 });
    longer.stream.write(body(100));
    await assert.rejects(longer.bytes, { code: 'payload_too_large' });
  });

  for (const length of [99, 101])
    it(`${length} bytes of 100 announced are invalid_json`, async () => {
      const { stream, bytes } = start({ announcedBytes: 100 });
      stream.end(body(length));
      await assert.rejects(bytes, { code: 'invalid_json' });
    });

  it('a stream that fails rejects with its error, one that closes or was closed before with ClientDisconnected', async () => {
    const failing = start();
    failing.stream.destroy(new ApiError('timeout'));
    await assert.rejects(failing.bytes, { code: 'timeout' });
    for (const error of [undefined, Object.assign(new Error('aborted'), { code: 'ECONNRESET' })]) {
      const closing = start();
      closing.stream.write('{');
      closing.stream.destroy(error);
      await assert.rejects(closing.bytes, ClientDisconnected);
    }
    const closed = new PassThrough();
    closed.destroy();
    await once(closed, 'close');
    await assert.rejects(
      readBody(closed, { maxBytes: 9, announcedBytes: 9, limits, reserve: () => {} }),
      ClientDisconnected,
    );
  });

  it('aborting ends the reading with the reason: before it, in its middle, and while a chunk waits for its turn', async () => {
    const reason = new ApiError('rate_limit_exceeded');
    await assert.rejects(start({ signal: AbortSignal.abort(reason) }).bytes, reason);
    for (const length of [100, 30 * MB]) {
      const controller = new AbortController();
      const { stream, bytes } = start({ signal: controller.signal });
      stream.write(body(length));
      controller.abort(reason);
      await assert.rejects(bytes, reason);
      stream.end();
      await once(stream, 'close');
    }
  });

  it('a large chunk is scanned over many turns, and others are served between them', async () => {
    const slow = Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(20 * MB, '\\"'), Buffer.from('"}')]);
    const { stream, bytes } = start();
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    stream.end(slow);
    setImmediate(count);
    releaseBytes(await bytes);
    isOver = true;
    assert.ok(turns >= 5, `${turns} turns`);
  });

  it('40 unfinished bodies of 37 MB return their memory when they end in any way', async () => {
    const rss = (): number => process.memoryUsage.rss() / MB;
    // Garbage of earlier tests that is freed during the measurement would hide what is held.
    collectGarbage();
    const before = rss();
    for (const announced of [true, false]) {
      const controller = new AbortController();
      const readings = Array.from({ length: 40 }, () =>
        start({ announcedBytes: announced ? 37 * MB : null, signal: controller.signal }),
      );
      const part = body(8 * MB).subarray(0, 7 * MB);
      for (const { stream } of readings)
        for (let at = 0; at < part.length; at += 65_536) await write(stream, part.subarray(at, at + 65_536));
      const held = rss() - before;
      assert.ok(held > 200 && held < 900, `${held.toFixed(0)} MB are held`);
      controller.abort(new ApiError('rate_limit_exceeded'));
      const left = rss() - before;
      assert.ok(left < 150, `${left.toFixed(0)} MB are left of ${held.toFixed(0)}`);
    }
  });
});
