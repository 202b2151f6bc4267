import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWorkGate } from './work-gate.ts';

const stranger = (address: string) => ({ address, isKnown: false });
const known = (address: string) => ({ address, isKnown: true });

it('one caller fills only its share of the queue, and past the queue strangers are refused at once', async () => {
  const gate = createWorkGate({ slots: 3, maxQueue: 4, maxQueuePerCaller: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await promise;
    running -= 1;
  };
  const flood = Array.from({ length: 6 }, () => gate(stranger('attacker'), work));
  const other = [gate(stranger('ann'), work), gate(stranger('bob'), work)];
  const late = gate(stranger('eve'), work);
  const refused = await Promise.allSettled([...flood.slice(4), late]);
  for (const outcome of refused)
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'overloaded');
  assert.equal(running, 2, 'one slot is kept');
  resolve();
  await Promise.all([...flood.slice(0, 4), ...other]);
  assert.equal(most, 2);
});

it('a known caller finds a slot however many strangers wait, and goes before them', async () => {
  const gate = createWorkGate({ slots: 2, maxQueue: 4, maxQueuePerCaller: 4 });
  const done: string[] = [];
  const holds = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const work = (name: string, hold?: { promise: Promise<void> }) => async () => {
    await hold?.promise;
    done.push(name);
  };
  const all = [
    gate(stranger('s1'), work('stranger 1', holds[0])),
    gate(stranger('s2'), work('stranger 2')),
    gate(known('ann'), work('ann', holds[1])),
    gate(known('bob'), work('bob')),
  ];
  holds[1]?.resolve();
  await all[3];
  assert.deepEqual(done, ['ann', 'bob']);
  holds[0]?.resolve();
  await Promise.all(all);
  assert.deepEqual(done, ['ann', 'bob', 'stranger 1', 'stranger 2']);
});

it('a failure frees its slot', async () => {
  const gate = createWorkGate({ slots: 1, maxQueue: 1, maxQueuePerCaller: 1 });
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      gate(stranger('ann'), () => Promise.reject(new Error('no'))),
      /no/,
    );
  assert.equal(await gate(stranger('ann'), async () => 5), 5);
});
