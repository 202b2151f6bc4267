import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessStore, Link } from '../access-store.ts';
import { createLink, hashLinkToken } from './links.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_700_000_000_000;

function openContext() {
  const links: Link[] = [];
  const store = {
    insertLink: async (link: Link): Promise<void> => void links.push(link),
  } as Partial<AccessStore> as AccessStore;
  return { links, context: { store, now: () => NOW_MS } };
}

describe('a link', () => {
  it('expires after an hour if it resets a password, after a day or a week otherwise', async () => {
    const { context, links } = openContext();
    for (const [purpose, hours] of [
      ['reset', 1],
      ['verify', 24],
      ['invite', 168],
      ['setup', 168],
    ] as const) {
      const { expiresAtMs } = await createLink(context, purpose, null);
      assert.equal((expiresAtMs - NOW_MS) / HOUR_MS, hours, purpose);
      assert.equal(links.at(-1)?.expiresAtMs, expiresAtMs);
    }
  });

  it('has a token of its own, of which only the digest is stored', async () => {
    const { context, links } = openContext();
    const { token } = await createLink(context, 'invite', 'ann@example.com');
    assert.match(token, /^[0-9A-Za-z]{32}$/);
    assert.notEqual((await createLink(context, 'invite', null)).token, token);
    assert.equal(links[0]?.tokenHash, hashLinkToken(token));
    assert.equal(links[0]?.email, 'ann@example.com');
    assert.ok(!JSON.stringify(links).includes(token));
  });
});
