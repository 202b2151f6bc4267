import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hashPassword, isPassword } from './password-hash.ts';

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
