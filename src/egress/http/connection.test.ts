import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { Target } from '../guard/vet-target.ts';
import { PooledConnection, ReadPacer } from './connection.ts';

const KIB = 1024;

/** Creates a stream of `bytes` that is paced like a socket. */
function openPaced(pacer: ReadPacer, bytes: number, client = 'a') {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 * KIB });
  stream.write(Buffer.alloc(bytes, 'x'));
  return { stream, paced: pacer.pace(stream as unknown as Socket, () => client) };
}

const sizeOf = (chunk: unknown) => (chunk === null ? null : (chunk as Buffer).length);
const burn = (ms: number) => {
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms);
};

describe('the paced reading of a socket', () => {
  it('is by slices, small ones while they yield neither a head nor a body', async () => {
    const { stream, paced } = openPaced(new ReadPacer(Infinity), 100 * KIB);
    assert.equal(sizeOf(stream.read()), 32 * KIB);
    assert.equal(sizeOf(stream.read()), 4 * KIB);
    assert.equal(sizeOf(stream.read()), 4 * KIB);
    paced.noteProgress();
    assert.equal(sizeOf(stream.read()), 32 * KIB);
    paced.noteProgress();
    assert.equal(sizeOf(stream.read()), 28 * KIB, 'what is left, whole');
    assert.equal(stream.read(), null);
  });

  it('ends with the socket: a parser that destroyed it gets no more bytes', () => {
    const { stream } = openPaced(new ReadPacer(Infinity), 100 * KIB);
    assert.equal(sizeOf(stream.read()), 32 * KIB);
    stream.destroy();
    assert.equal(stream.read(), null);
  });

  it('spreads over turns of the event loop, and sockets take turns', async () => {
    const pacer = new ReadPacer();
    const turns: string[][] = [];
    let turn: string[] = [];
    const ended: Promise<unknown>[] = [];
    const open = (name: string) => {
      const { stream, paced } = openPaced(pacer, 320 * KIB);
      stream.end();
      stream.on('readable', () => {
        while (stream.read() !== null) {
          turn.push(name);
          paced.noteProgress();
          burn(3);
        }
      });
      ended.push(new Promise((resolve) => stream.on('end', () => resolve(turn.push(`${name} ends`)))));
    };
    for (const name of ['a', 'b', 'c']) open(name);
    const over = new AbortController();
    const all = Promise.all(ended).then(() => over.abort());
    while (!over.signal.aborted) {
      await new Promise(setImmediate);
      turns.push(turn);
      turn = [];
    }
    await all;
    const slices = turns.map((names) => names.filter((name) => name.length === 1));
    const counts = ['a', 'b', 'c'].map((one) => slices.flat().filter((name) => name === one).length);
    assert.deepEqual(counts, [10, 10, 10], 'every byte');
    assert.ok(Math.max(...slices.map(({ length }) => length)) <= 4, 'a few in each turn');
    const order = slices.flat().filter((name, index, names) => name !== names[index - 1]);
    const first = order.slice(0, 6).join('');
    assert.equal(first, 'abcabc', 'round and round');
  });

  it('alternates between clients, however many sockets one of them has', async () => {
    const pacer = new ReadPacer();
    const order: string[] = [];
    const open = (client: string) => {
      const { stream, paced } = openPaced(pacer, 96 * KIB, client);
      stream.end();
      stream.on('readable', () => {
        while (stream.read() !== null) {
          order.push(client);
          paced.noteProgress();
          // As long as a turn: each resumed socket reads one slice.
          burn(9);
        }
      });
      return once(stream, 'end');
    };
    const greedy = Array.from({ length: 10 }, () => open('greedy'));
    await open('small');
    // Its three slices wait for as many of the other, and for those that were read before.
    const others = order.filter((client) => client === 'greedy').length;
    assert.ok(others <= 8, order.join(' '));
    await Promise.all(greedy);
    assert.equal(order.length, 33);
  });

  it('is for the client whose request uses the connection', () => {
    let getClient = (): string => assert.fail('not paced');
    const pace = (_socket: Socket, get: () => string) => {
      getClient = get;
      return { noteProgress() {} };
    };
    const hold = { client: 'a', onReclaim() {}, reclaimedFor: null };
    const connection = new PooledConnection({
      target: { origin: 'http://a.example', host: 'a.example' } as Target,
      key: 'k',
      hold,
      socket: new PassThrough() as unknown as Socket,
      peer: '192.0.2.1',
      pacer: { pace } as unknown as ReadPacer,
      keepAliveMs: 0,
      openedAt: 0,
      onRelease() {},
    });
    assert.equal(getClient(), 'a');
    connection.hold = { ...hold, client: 'b' };
    assert.equal(getClient(), 'b');
    connection.destroy();
  });
});
