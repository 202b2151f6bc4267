import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Grant, type Hold, HostPlaces, type Placed } from './host-places.ts';

interface Connection extends Placed {
  key: string;
}

/** Creates places whose timers the test runs. */
function openPlaces(maxPlaces: number, maxWaitingPerClient = 100) {
  const timers = new Set<() => void>();
  const places = new HostPlaces<Connection>({
    createError: (fault) => new Error(fault),
    maxPlaces,
    maxWaitingPerClient,
    startTimer(run) {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  /** Runs the timers of all clients that wait for their first place. */
  const passSecond = () => {
    for (const run of timers) {
      timers.delete(run);
      run();
    }
  };
  return { places, timers, passSecond };
}

type Places = ReturnType<typeof openPlaces>['places'];

interface Ask {
  client: string;
  controller: AbortController;
  grant: Grant<Connection> | null;
  error: unknown;
  reclaimed: Error[];
}

function ask(places: Places, client: string, key = 'k'): Ask {
  const controller = new AbortController();
  const one: Ask = { client, controller, grant: null, error: null, reclaimed: [] };
  const request = {
    client,
    signal: controller.signal,
    accepts: (connection: Connection) => connection.key === key,
    onReclaim: (error: Error) => void one.reclaimed.push(error),
  };
  const hold = places.tryAcquire(request);
  if (hold !== null) {
    one.grant = { hold, connection: null };
    return one;
  }
  try {
    places.acquire(request).then(
      (grant) => (one.grant = grant),
      (error: unknown) => (one.error = error),
    );
  } catch (error) {
    one.error = error;
  }
  return one;
}

const groupOf = (client: string) => client.split(' ')[0] as string;
const settle = () => new Promise(setImmediate);
const holdOf = ({ grant }: Ask): Hold => {
  assert.ok(grant, 'it holds a place');
  return grant.hold;
};
const served = (asks: Ask[]) => asks.map(({ grant }) => grant !== null);

describe('the places at one host', () => {
  it('include one for clients that hold none', async () => {
    const { places } = openPlaces(6);
    const greedy = Array.from({ length: 20 }, () => ask(places, 'greedy'));
    assert.equal(places.open, 5);
    const other = ask(places, 'other');
    assert.ok(other.grant, 'served at once');
    assert.equal(places.open, 6);
    places.free(holdOf(other));
    await settle();
    assert.equal(served(greedy).filter(Boolean).length, 5, 'and stays free when it is left');
  });

  it('may be a single one, which any client can hold', () => {
    const { places } = openPlaces(1);
    assert.ok(ask(places, 'a').grant);
    assert.equal(ask(places, 'a').grant, null);
  });

  it('go to the client that holds the fewest, then to the least recently served', async () => {
    const { places } = openPlaces(3);
    const [a1, a2, b1] = [ask(places, 'a'), ask(places, 'a'), ask(places, 'b')];
    const a3 = ask(places, 'a');
    const c1 = ask(places, 'c');
    const b2 = ask(places, 'b');
    const c2 = ask(places, 'c');
    const order: Ask[][] = [];
    for (const left of [a1, a2, b1]) {
      const before = new Set([a3, c1, b2, c2].filter(({ grant }) => grant !== null));
      places.free(holdOf(left));
      await settle();
      order.push([a3, c1, b2, c2].filter((one) => one.grant !== null && !before.has(one)));
    }
    // c holds none; then a holds none (b has one); then b and c hold none and one: b.
    assert.deepEqual(order, [[c1], [a3], [b2]]);
    places.free(holdOf(c1));
    await settle();
    assert.ok(c2.grant);
  });

  it('alternate: a client that was just served is last', async () => {
    const { places } = openPlaces(1);
    const a1 = ask(places, 'a');
    const a2 = ask(places, 'a');
    const b1 = ask(places, 'b');
    places.free(holdOf(a1));
    await settle();
    assert.deepEqual(served([a2, b1]), [false, true]);
    const newcomer = ask(places, 'c');
    const b2 = ask(places, 'b');
    places.free(holdOf(b1));
    await settle();
    assert.deepEqual(served([a2, newcomer, b2]), [true, false, false], 'leaving and returning gains nothing');
    places.free(holdOf(a2));
    await settle();
    assert.deepEqual(served([newcomer, b2]), [true, false]);
  });

  it('a client with a full queue fails; others still wait', async () => {
    const { places } = openPlaces(2, 3);
    const asks = Array.from({ length: 6 }, () => ask(places, 'a'));
    const { error } = asks[4] as Ask;
    assert.deepEqual(error, new Error('waiting'));
    ask(places, 'b');
    const other = ask(places, 'b');
    assert.equal(other.error, null);
    asks[1]?.controller.abort();
    await settle();
    assert.equal(ask(places, 'a').error, null, 'a request that leaves makes room');
  });

  it('a client without one gets the oldest of the client that holds the most, after a second and when it has closed', async () => {
    const { places, passSecond } = openPlaces(6);
    const greedy = Array.from({ length: 5 }, () => ask(places, 'greedy'));
    ask(places, 'modest');
    const starved = ask(places, 'starved');
    assert.deepEqual(
      greedy.flatMap(({ reclaimed }) => reclaimed),
      [],
    );
    passSecond();
    assert.deepEqual(
      greedy.map(({ reclaimed }) => reclaimed.length),
      [1, 0, 0, 0, 0],
    );
    const [error] = greedy[0]?.reclaimed ?? [];
    assert.deepEqual(error, new Error('reclaimed'));
    await settle();
    assert.equal(starved.grant, null, 'not before the connection is closed');
    const more = ask(places, 'greedy');
    places.free(holdOf(greedy[0] as Ask));
    await settle();
    assert.deepEqual(served([starved, more]), [true, false]);
    assert.equal(places.open, 6);
    ask(places, 'another');
    passSecond();
    assert.deepEqual(
      greedy.map(({ reclaimed }) => reclaimed.length),
      [1, 1, 0, 0, 0],
      'and so does the next',
    );
  });

  it('each starved client reclaims one, and no client within its equal part loses one', async () => {
    const { places, passSecond } = openPlaces(6);
    const greedy = Array.from({ length: 5 }, () => ask(places, 'greedy'));
    const others = Array.from({ length: 9 }, (_, index) => ask(places, `other${index}`));
    passSecond();
    const reclaimed = () => greedy.filter((one) => one.reclaimed.length > 0);
    assert.equal(reclaimed().length, 4, 'one place cannot be reclaimed');
    for (const one of reclaimed()) places.free(holdOf(one));
    await settle();
    assert.deepEqual(served(others), [true, true, true, true, true, false, false, false, false]);
    assert.equal(reclaimed().length, 4);
    assert.deepEqual(
      others.flatMap((one) => one.reclaimed),
      [],
    );
  });

  it('a starved client reclaims one, however many requests ended before', () => {
    const { places, passSecond } = openPlaces(6);
    for (let ended = 0; ended < 3; ended += 1) places.free(holdOf(ask(places, 'greedy')));
    const greedy = Array.from({ length: 5 }, () => ask(places, 'greedy'));
    ask(places, 'modest');
    ask(places, 'starved');
    passSecond();
    assert.equal(greedy.filter(({ reclaimed }) => reclaimed.length > 0).length, 1);
  });

  it('the second of a client that waits starts when its last place ends', async () => {
    const { places, timers } = openPlaces(1);
    const first = ask(places, 'a');
    const second = ask(places, 'a');
    assert.equal(timers.size, 0);
    const other = ask(places, 'b');
    assert.equal(timers.size, 1, 'of b');
    places.free(holdOf(first));
    await settle();
    assert.deepEqual(served([second, other]), [false, true]);
    assert.equal(timers.size, 1, 'of a');
  });

  it('a released connection goes to the next client, if it can use it', async () => {
    const { places } = openPlaces(2);
    const first = ask(places, 'a');
    const connection: Connection = { key: 'k', hold: holdOf(first) };
    const b = ask(places, 'b');
    const waiting = ask(places, 'a');
    assert.equal(places.release(connection), 'reassigned');
    await settle();
    assert.equal(waiting.grant?.connection, connection);
    assert.equal(connection.hold, waiting.grant?.hold);
    const elsewhere = ask(places, 'c', 'another origin');
    assert.equal(places.release(connection), 'mismatched');
    places.free(connection.hold);
    await settle();
    assert.equal(elsewhere.grant?.connection, null);
    places.free(holdOf(elsewhere));
    places.free(holdOf(b));
    assert.equal(places.open, 0);
  });
});

describe('the places of a group of clients', () => {
  it('are those of one client, and go to the member that holds the fewest', async () => {
    const { places } = openPlaces(4);
    const greedy = Array.from({ length: 150 }, () => ask(places, 'group greedy'));
    const small = ask(places, 'group small');
    assert.equal(places.open, 3, 'one stays free for others');
    assert.equal(small.error, null, 'the queue of the other is full, not its own');
    assert.deepEqual(greedy.at(-1)?.error, new Error('waiting'));
    const other = ask(places, 'other');
    assert.ok(other.grant);
    const next = ask(places, 'other');
    places.free(holdOf(greedy[0] as Ask));
    await settle();
    assert.deepEqual(served([small, next]), [false, true], 'other holds fewer than the group');
    places.free(holdOf(greedy[1] as Ask));
    await settle();
    assert.deepEqual(served([small, greedy[3] as Ask]), [true, false]);
  });

  it('are reclaimed for a starved member from the one that holds the most, and from no other client', async () => {
    const { places, passSecond } = openPlaces(7);
    const other = [ask(places, 'other'), ask(places, 'other')];
    const few = ask(places, 'group few');
    const greedy = Array.from({ length: 4 }, () => ask(places, 'group greedy'));
    const small = ask(places, 'group small');
    passSecond();
    const reclaimed = () => [...other, few, ...greedy].map((one) => one.reclaimed.length);
    assert.deepEqual(reclaimed(), [0, 0, 0, 1, 0, 0, 0]);
    places.free(holdOf(greedy[0] as Ask));
    await settle();
    assert.ok(small.grant);
    const third = ask(places, 'third');
    passSecond();
    assert.deepEqual(
      reclaimed(),
      [0, 0, 0, 1, 1, 0, 0],
      'another client too takes it from the greedy member',
    );
    places.free(holdOf(greedy[1] as Ask));
    await settle();
    assert.ok(third.grant);
  });
});

describe('the places at one host, in random sequences', () => {
  type Step = {
    act: 'ask' | 'leave' | 'close' | 'give back' | 'close idle' | 'reuse' | 'second';
    at: number;
  };
  const step = fc.record<Step>({
    act: fc.constantFrom('ask', 'ask', 'ask', 'leave', 'close', 'give back', 'close idle', 'reuse', 'second'),
    at: fc.nat(7),
  });

  it('are never exceeded, never lost, and never free while a client may have one', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 60 }),
      async (maxPlaces, steps) => {
        const { places, timers, passSecond } = openPlaces(maxPlaces, 5);
        const most = Math.max(maxPlaces - 1, 1);
        const asks: Ask[] = [];
        const used: Connection[] = [];
        const idle: Connection[] = [];
        const waiting = () => asks.filter(({ grant, error }) => grant === null && error === null);
        const connect = () => {
          for (const { grant } of asks) {
            if (grant === null || used.some(({ hold }) => hold === grant.hold)) continue;
            if (grant.connection === null) used.push({ key: 'k', hold: grant.hold });
            else {
              idle.splice(idle.indexOf(grant.connection), idle.includes(grant.connection) ? 1 : 0);
              used.push(grant.connection);
            }
          }
        };
        const drop = (connection: Connection) => {
          const hold = connection.hold;
          used.splice(used.indexOf(connection), 1);
          const one = asks.findIndex(({ grant }) => grant?.hold === hold);
          if (one !== -1) asks.splice(one, 1);
        };
        for (const { act, at } of steps) {
          const connection = used[at % Math.max(used.length, 1)];
          const client = ['a', 'b', 'group a', 'group b'][at % 4] as string;
          if (act === 'ask') {
            // An idle connection is closed to make room, as in the pool.
            const [oldest] = idle;
            const one = ask(places, client, at > 5 ? 'other' : 'k');
            asks.push(one);
            if (one.grant === null && one.error === null && oldest !== undefined && places.canHold(client)) {
              idle.shift();
              places.free(null);
            }
          } else if (act === 'leave') waiting()[at % Math.max(waiting().length, 1)]?.controller.abort();
          else if (act === 'second') passSecond();
          else if (act === 'close idle' && idle.length > 0) {
            idle.pop();
            places.free(null);
          } else if (act === 'reuse' && idle.length > 0 && places.canHold(client)) {
            const reused = idle.pop() as Connection;
            const controller = new AbortController();
            const one: Ask = { client, controller, grant: null, error: null, reclaimed: [] };
            const onReclaim = (error: Error) => void one.reclaimed.push(error);
            places.reuse(reused, { client, signal: controller.signal, accepts: () => true, onReclaim });
            one.grant = { hold: reused.hold as Hold, connection: reused };
            asks.push(one);
          } else if (act === 'close' && connection !== undefined) {
            drop(connection);
            places.free(connection.hold);
          } else if (act === 'give back' && connection !== undefined) {
            drop(connection);
            const outcome = places.release(connection);
            if (outcome === 'idle') idle.push(connection);
            if (outcome === 'mismatched') places.free(null);
          }
          await settle();
          connect();

          assert.ok(places.open <= maxPlaces, 'never more than there are');
          assert.equal(places.open, used.length + idle.length, 'every open place is in use or idle');
          const held = new Map<string, number>();
          for (const { client: name } of asks.filter(({ grant }) => grant !== null))
            held.set(groupOf(name), (held.get(groupOf(name)) ?? 0) + 1);
          for (const count of held.values()) assert.ok(count <= most, 'one stays free for others');
          const eligible = waiting().filter(({ client: name }) => (held.get(groupOf(name)) ?? 0) < most);
          assert.ok(eligible.length === 0 || places.open === maxPlaces, 'none is left free');
          for (const { reclaimed } of asks) assert.ok(reclaimed.length <= 1, 'told once');
        }
        for (const one of waiting()) one.controller.abort();
        await settle();
        for (const connection of used) places.free(connection.hold);
        while (idle.pop() !== undefined) places.free(null);
        assert.equal(places.open, 0);
        assert.equal(timers.size, 0, 'no timer is left');
      },
    );
    await fc.assert(property, { numRuns: 400 });
  });
});
