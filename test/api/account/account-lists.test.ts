import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ListStatus } from '#email';
import { openSignedIn, startAccountServer } from '../account-server.ts';

const URL_OF_LIST = 'https://lists.example/domains.txt';
const NOW = Date.UTC(2026, 5, 1);

it('administrators see the lists of domains and accept what one offers', async () => {
  const fetched: ListStatus = {
    kind: 'fetched',
    source: URL_OF_LIST,
    entries: 1000,
    suspected: 400,
    updatedAtMs: NOW,
    dropped: { malformed: 1, public_suffix: 2, never_disposable: 3 },
    refresh: { atMs: NOW + 1000, outcome: 'offered', reason: null },
    offered: { entries: 2000, fetchedAtMs: NOW },
  };
  const bundled: ListStatus = {
    kind: 'bundled',
    source: '',
    entries: 9000,
    suspected: 2000,
    updatedAtMs: null,
    dropped: null,
    refresh: null,
    offered: null,
  };
  const server = await startAccountServer({
    lists: {
      getStatus: () => [bundled, fetched],
      accept: async (url) => {
        if (url !== URL_OF_LIST || fetched.offered === null) return false;
        fetched.entries = fetched.offered.entries;
        fetched.offered = null;
        return true;
      },
    },
  });
  try {
    const boss = await openSignedIn(server, 'boss@example.com');
    const { id } = (await boss.get('/account/session')).body.account;
    await server.storage.accounts.updateAccount(id, { admin: true }, Date.now());
    const shown = await boss.get('/account/admin/lists');
    assert.equal(shown.status, 200);
    assert.deepEqual(shown.body.lists, [
      {
        kind: 'bundled',
        source: null,
        entries: 9000,
        suspected: 2000,
        updated_at: null,
        dropped: null,
        refreshed_at: null,
        outcome: null,
        reason: null,
        offered: null,
      },
      {
        kind: 'fetched',
        source: URL_OF_LIST,
        entries: 1000,
        suspected: 400,
        updated_at: '2026-06-01T00:00:00.000Z',
        dropped: { malformed: 1, public_suffix: 2, never_disposable: 3 },
        refreshed_at: '2026-06-01T00:00:01.000Z',
        outcome: 'offered',
        reason: null,
        offered: { entries: 2000, fetched_at: '2026-06-01T00:00:00.000Z' },
      },
    ]);
    const accepted = await boss.post('/account/admin/lists/accept', { source: URL_OF_LIST });
    assert.equal(accepted.status, 200);
    assert.deepEqual([accepted.body.lists[1].entries, accepted.body.lists[1].offered], [2000, null]);
    const again = await boss.post('/account/admin/lists/accept', { source: URL_OF_LIST });
    assert.deepEqual([again.status, again.body.error], [404, 'not_found']);
    assert.equal((await boss.post('/account/admin/lists/accept', {})).body.param, 'source');
  } finally {
    await server.close();
  }
});
