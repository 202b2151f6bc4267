/** Streams of batches that arrive in odd pieces, break, stall or exceed the limit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallOptions, type Retry, UtilityApiError } from '../src/index.ts';
import {
  failWith,
  type HostileServer,
  limitHeaders,
  startHostileServer,
  streamRows,
} from './hostile-server.ts';

const INPUT = ['a@x.example', 'ü€😀@x.example', 'c@x.example', 'd@x.example', 'e@x.example'];
const all = streamRows((response, rows) => response.end(rows.join('')), limitHeaders(5_000));
/** Sends the first rows and half of the next one, then closes the connection. */
const breakAfter = (count: number) =>
  streamRows((response, rows) => {
    response.write(rows.slice(0, count).join('') + (rows[count] ?? '').slice(0, 9), () => response.destroy());
  });

/** Reads a batch: the addresses of its rows, and its error. */
async function read(server: HostileServer, call: CallOptions = {}, input: Iterable<string> = INPUT) {
  const emails: string[] = [];
  try {
    for await (const { email } of server.connect().validateEmailBatch(input, {}, call)) emails.push(email);
  } catch (error) {
    return { emails, error: error as UtilityApiError };
  }
  return { emails, error: undefined };
}

/** Returns the addresses of each request that has arrived. */
const listSent = ({ requests }: HostileServer): string[][] =>
  requests.map(({ body }) => (JSON.parse(body) as { emails: string[] }).emails);

void describe('the lines of a batch', { concurrency: true }, () => {
  it('may arrive byte by byte, with CRLF, blank lines and no line feed at their end', async () => {
    const drip = streamRows((response, rows) => {
      const bytes = Buffer.from(`\r\n${rows.join('\r\n\n')}`.trimEnd());
      const next = (at: number): void => {
        if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
        else response.end();
      };
      next(0);
    });
    await using server = await startHostileServer(drip);
    const { emails, error } = await read(server);
    assert.deepEqual([emails, error], [INPUT.slice(0, 4).concat('e@x.example'), undefined]);
  });

  it('may be long, and arrive many at once', async () => {
    const long = streamRows((response, rows) => {
      const wide = rows.map((row) => row.replace('{', `{"pad":"${'é'.repeat(200_000)}",`));
      response.end(wide.join(''));
    });
    await using server = await startHostileServer(long);
    assert.deepEqual((await read(server)).emails, INPUT);
  });

  for (const [name, line] of [
    ['that is not JSON', '<h1>Bad gateway</h1>\n'],
    ['that is no object', '7\n'],
    ['that is a list', '[{}]\n'],
  ] as const)
    it(`a line ${name} is unexpected_response after the rows before it`, async () => {
      await using server = await startHostileServer(
        streamRows((response, rows) => response.end(rows[0] + line)),
      );
      const { emails, error } = await read(server);
      assert.deepEqual([emails, error?.code], [INPUT.slice(0, 1), 'unexpected_response']);
      assert.equal(server.requests.length, 1);
    });

  it('that never end are not collected without bound', async () => {
    const flood = streamRows((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1 << 20)));
      };
      response.on('drain', more);
      more();
    });
    await using server = await startHostileServer(flood);
    assert.equal((await read(server)).error?.code, 'unexpected_response');
    await server.requests[0]?.closed;
  });

  it('more rows than addresses are ignored', async () => {
    await using server = await startHostileServer(
      streamRows((response, rows) => response.end([...rows, ...rows].join(''))),
    );
    assert.deepEqual((await read(server)).emails, INPUT);
  });
});

void describe('a batch whose stream breaks', { concurrency: true }, () => {
  it('requests only the rows that have not arrived, in order and each once', async () => {
    await using server = await startHostileServer(breakAfter(2), breakAfter(0), all);
    const { emails, error } = await read(server);
    assert.deepEqual([emails, error], [INPUT, undefined]);
    assert.deepEqual(listSent(server), [INPUT, INPUT.slice(2), INPUT.slice(2)]);
  });

  it('is resumed as well if it ends in order, but with too few rows', async () => {
    const short = streamRows((response, rows) => response.end(rows.slice(0, 3).join('')));
    await using server = await startHostileServer(short, all);
    assert.deepEqual((await read(server)).emails, INPUT);
    assert.deepEqual(listSent(server)[1], INPUT.slice(3));
  });

  it('fails after maxRetries attempts without a row, with the rows that arrived before', async () => {
    await using server = await startHostileServer(breakAfter(2), breakAfter(0));
    const retries: Retry[] = [];
    const { emails, error } = await read(server, {
      maxRetries: 1,
      onRetry: (retry) => retries.push(retry),
    });
    assert.deepEqual([emails, error?.code], [INPUT.slice(0, 2), 'connection_failed']);
    assert.deepEqual(listSent(server).length, 2);
    assert.deepEqual(
      retries.map(({ attempt }) => attempt),
      [1],
    );
  });

  it('counts attempts again after each row', async () => {
    await using server = await startHostileServer(breakAfter(1));
    const { emails, error } = await read(server, { maxRetries: 1 }, INPUT.slice(0, 3));
    assert.deepEqual([emails, error], [INPUT.slice(0, 3), undefined]);
    assert.equal(server.requests.length, 3);
  });

  it('is resumed if it stalls for timeoutMs', async () => {
    const stall = streamRows((response, rows) => response.write(rows[0] ?? ''));
    await using server = await startHostileServer(stall, all);
    assert.deepEqual((await read(server, { timeoutMs: 300 })).emails, INPUT);
    await server.requests[0]?.closed;
  });
});

void describe('a batch over the limit', { concurrency: true }, () => {
  it('that the plan does not allow is sent in smaller requests', async () => {
    await using server = await startHostileServer(
      failWith(400, 'invalid_parameter', limitHeaders(2, 2)),
      streamRows((response, rows) => response.end(rows.join('')), limitHeaders(0, 2)),
      failWith(429, 'rate_limit_exceeded', limitHeaders(0, 2)),
      streamRows((response, rows) => response.end(rows.join('')), limitHeaders(1, 2)),
      streamRows((response, rows) => response.end(rows.join('')), limitHeaders(1, 2)),
    );
    const { emails, error } = await read(server);
    assert.deepEqual([emails, error], [INPUT, undefined]);
    assert.deepEqual(
      listSent(server).map(({ length }) => length),
      [5, 2, 2, 2, 1],
    );
  });

  it('that the rest of the minute does not allow is sent in part at once, then after Retry-After', async () => {
    await using server = await startHostileServer(
      failWith(429, 'rate_limit_exceeded', { ...limitHeaders(3), 'retry-after': '60' }),
      streamRows((response, rows) => response.end(rows.join('')), limitHeaders(0)),
      failWith(429, 'rate_limit_exceeded', limitHeaders(0)),
      all,
    );
    assert.deepEqual((await read(server)).emails, INPUT);
    assert.deepEqual(
      listSent(server).map(({ length }) => length),
      [5, 3, 2, 2],
    );
  });

  it('that a share refuses is repeated after Retry-After, as it is', async () => {
    await using server = await startHostileServer(
      failWith(429, 'rate_limit_exceeded', limitHeaders(4_000)),
      all,
    );
    assert.deepEqual((await read(server)).emails, INPUT);
    assert.deepEqual(listSent(server), [INPUT, INPUT]);
  });

  it('of addresses that are very long is sent in requests of bounded size', async () => {
    const long = Array.from({ length: 5 }, (_, n) => `${n}${'ü'.repeat(300_000)}`);
    await using server = await startHostileServer(all);
    assert.deepEqual((await read(server, {}, long)).emails, long);
    assert.deepEqual(
      listSent(server).map(({ length }) => length),
      [3, 2],
    );
  });
});

void describe('the consumer of a batch', { concurrency: true }, () => {
  it('that stops early ends the request and the input', async () => {
    let isEnded = false;
    function* list(): Generator<string> {
      try {
        for (let n = 0; ; n += 1) yield `${n}@x.example`;
      } finally {
        isEnded = true;
      }
    }
    const open = streamRows((response, rows) => response.write(rows[0] ?? ''));
    await using server = await startHostileServer(open);
    for await (const { email } of server.connect().validateEmailBatch(list())) {
      assert.equal(email, '0@x.example');
      break;
    }
    assert.ok(isEnded);
    await server.requests[0]?.closed;
  });

  it('that aborts gets the reason of its signal, in the midst of a stream and of a wait', async () => {
    const open = streamRows((response, rows) => response.write(rows[0] ?? ''));
    await using server = await startHostileServer(open, failWith(503, 'overloaded', { 'retry-after': '50' }));
    for (const count of [1, 0]) {
      const abort = new AbortController();
      const emails: string[] = [];
      const batch = server
        .connect()
        .validateEmailBatch(INPUT, {}, { signal: abort.signal, onRetry: () => abort.abort('enough') });
      const reading = (async () => {
        for await (const { email } of batch) {
          emails.push(email);
          setImmediate(() => abort.abort('enough'));
        }
      })();
      await assert.rejects(reading, (reason) => reason === 'enough');
      assert.equal(emails.length, count);
    }
  });

  it('that throws gets its own error, and nothing is repeated', async () => {
    await using server = await startHostileServer(all);
    const batch = server.connect().validateEmailBatch(INPUT);
    await batch.next();
    const own = new UtilityApiError('overloaded', 'own', { status: 503 });
    await assert.rejects(batch.throw(own), (error) => error === own);
    assert.equal(server.requests.length, 1);
  });

  it('that passes a text in place of a list gets TypeError', async () => {
    await using server = await startHostileServer(all);
    await assert.rejects(server.connect().validateEmailBatch('a@x.example').next(), TypeError);
    assert.equal(server.requests.length, 0);
  });

  it('gets an error of the input as it is, after the rows before it', async () => {
    await using server = await startHostileServer(all);
    function* list(): Generator<string> {
      for (let n = 0; n < 1_500; n += 1) yield `${n}@x.example`;
      throw new RangeError('no more');
    }
    const { emails, error } = await read(server, {}, list());
    assert.deepEqual([emails.length, (error as Error | undefined)?.message], [1_000, 'no more']);
  });

  it('that is slow is no timeout', async () => {
    await using server = await startHostileServer(
      streamRows((response, rows) => {
        response.write(rows[0] ?? '');
        setTimeout(() => response.end(rows.slice(1).join('')), 500);
      }),
    );
    let count = 0;
    for await (const _row of server.connect({ timeoutMs: 1_000, maxRetries: 0 }).validateEmailBatch(INPUT)) {
      if (count === 0) await new Promise((resolve) => setTimeout(resolve, 1_100));
      count += 1;
    }
    assert.equal(count, INPUT.length);
  });
});
