import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWorkGate, hashPassword, isPassword } from './password.ts';

it('a hash is argon2id with 19 MiB, 2 passes and 1 lane in PHC form, with a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('a secret'), hashPassword('a secret')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, other);
  assert.ok(await isPassword('a secret', one));
  assert.ok(!(await isPassword('a secreT', one)));
});

it('a hash of the reference implementation with other parameters matches its password', async () => {
  // echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 (phc-winner-argon2 test.c)
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.ok(await isPassword('password', hash));
  assert.ok(!(await isPassword('passwort', hash)));
});

it('é matches é, composed or decomposed', async () => {
  assert.ok(await isPassword('caf\u0065\u0301', await hashPassword('caf\u00e9')));
});

it('a text that is no hash matches no password', async () => {
  for (const junk of ['', 'a secret', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$x', '$2b$10$abc'])
    assert.ok(!(await isPassword('a secret', junk)));
});

const unknown = (address: string) => ({ address, isKnown: false });
const known = (address: string) => ({ address, isKnown: true });

it('one caller cannot fill the queue; past the queue unknown callers are refused immediately', async () => {
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
  const flood = Array.from({ length: 6 }, () => gate(unknown('attacker'), work));
  const other = [gate(unknown('ann'), work), gate(unknown('bob'), work)];
  const late = gate(unknown('eve'), work);
  const refused = await Promise.allSettled([...flood.slice(4), late]);
  for (const outcome of refused)
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'overloaded');
  assert.equal(running, 2, 'one slot is reserved');
  resolve();
  await Promise.all([...flood.slice(0, 4), ...other]);
  assert.equal(most, 2);
});

it('a known caller has a slot however many unknown callers wait, and runs before them', async () => {
  const gate = createWorkGate({ slots: 2, maxQueue: 4, maxQueuePerCaller: 4 });
  const done: string[] = [];
  const holds = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const work = (name: string, hold?: { promise: Promise<void> }) => async () => {
    await hold?.promise;
    done.push(name);
  };
  const all = [
    gate(unknown('s1'), work('unknown 1', holds[0])),
    gate(unknown('s2'), work('unknown 2')),
    gate(known('ann'), work('ann', holds[1])),
    gate(known('bob'), work('bob')),
  ];
  holds[1]?.resolve();
  await all[3];
  assert.deepEqual(done, ['ann', 'bob']);
  holds[0]?.resolve();
  await Promise.all(all);
  assert.deepEqual(done, ['ann', 'bob', 'unknown 1', 'unknown 2']);
});

it('a failed job releases its slot', async () => {
  const gate = createWorkGate({ slots: 1, maxQueue: 1, maxQueuePerCaller: 1 });
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      gate(unknown('ann'), () => Promise.reject(new Error('no'))),
      /no/,
    );
  assert.equal(await gate(unknown('ann'), async () => 5), 5);
});
