/** The download of all data of an account. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createInvite } from '#accounts/sign-in';
import { formatExport } from '../../../src/http/dashboard-api/export-routes.ts';
import { openSignedIn, startAccountServer, type AccountServer, type Browser } from '../account-server.ts';

/** Tables whose rows belong to no account, and the reason. */
const OTHERS = new Map([
  ['key_changes', 'one number'],
  ['kysely_migration', 'the schema'],
  ['kysely_migration_lock', 'the schema'],
  ['secrets', 'of the service'],
  ['usage_batches', 'of the service'],
  ['verifications', 'sign-ins of minutes'],
]);
/** Columns that are not exported: the account's own id, other accounts' ids, and digests of secrets. */
const LEFT_OUT = new Set([
  'account_id',
  'created_by',
  'links.token_hash',
  'second_factors.secret',
  'second_factors.recovery_codes',
  'used_codes.code_hash',
  'sessions.token_hash',
  'api_keys.secret_hash',
  'credentials.password_hash',
]);

describe('the download of all data of an account', () => {
  let server: AccountServer;
  let ann: Browser;
  let annId: string;
  let database: DatabaseSync;
  before(async () => {
    server = await startAccountServer();
    ann = await openSignedIn(server, 'ann@example.com');
    const bob = await openSignedIn(server, 'bob@example.com');
    annId = (await ann.get('/account/session')).body.account.id;
    for (const [browser, requests] of [
      [ann, 1_300],
      [bob, 3],
    ] as const) {
      const { secret, key } = (await browser.post('/account/keys', { name: 'k' })).body;
      await server.app.inject({
        url: '/v1/email/validate?email=a@example.com',
        headers: { 'x-api-key': secret },
      });
      await server.recorder.flush();
      const { id: accountId } = (await browser.get('/account/session')).body.account;
      const line = { accountId, keyId: key.id, operation: 'getMetadata', status: 200, ms: 5, atMs: 1 };
      await server.storage.usage.addUsage({
        counts: [],
        latencies: [],
        errors: [],
        months: [],
        requests: Array.from({ length: requests }, (_, n) => ({ ...line, requestId: `${accountId} ${n}` })),
        lastUsed: new Map(),
      });
    }
    await createInvite(server.access, 'ann@example.com', 'operator');
    await setImmediate();
    database = new DatabaseSync(join(server.dataDir, 'utility-api.db'), { readOnly: true });
  });
  after(async () => {
    database.close();
    await server.close();
  });

  const listOwnRows = (table: string, columns: readonly string[]): Record<string, unknown>[] => {
    const owner = columns.includes('account_id')
      ? 'account_id = ?1'
      : table === 'accounts'
        ? 'id = ?1'
        : 'email = (select email from accounts where id = ?1)';
    return database.prepare(`select * from ${table} where ${owner}`).all(annId);
  };

  it('has each row and column of the account in each table, no other account’s and no secret', async () => {
    const rowsBefore = new Map<string, Record<string, unknown>[]>();
    const columnsOf = new Map<string, string[]>();
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    for (const { name } of tables) {
      const table = String(name);
      if (OTHERS.has(table) || table.startsWith('sqlite_')) continue;
      const columns = database.prepare('select name from pragma_table_info(?)').all(table);
      columnsOf.set(
        table,
        columns.map((column) => String(column['name'])),
      );
      rowsBefore.set(table, listOwnRows(table, columnsOf.get(table) ?? []));
    }
    const { status, headers, text, body } = await ann.get('/account/export');
    assert.equal(status, 200);
    assert.match(
      String(headers['content-disposition']),
      /^attachment; filename="account-data-[\d-]{10}\.json"$/,
    );
    const { exported_at: exportedAt, ...sections } = body;
    assert.ok(Date.parse(exportedAt) <= server.now());
    assert.deepEqual(Object.keys(sections).toSorted(), [...columnsOf.keys()].toSorted());
    for (const [table, rows] of rowsBefore) {
      assert.equal(sections[table].length, rows.length, table);
      if (rows.length === 0) continue;
      const exported = (columnsOf.get(table) ?? []).filter(
        (column) => !LEFT_OUT.has(column) && !LEFT_OUT.has(`${table}.${column}`),
      );
      assert.deepEqual(Object.keys(sections[table][0]).toSorted(), exported.toSorted(), table);
    }
    for (const table of ['accounts', 'api_keys', 'sessions', 'audit_events', 'links', 'usage_counts'])
      assert.ok(sections[table].length > 0, `${table} has rows, so that they are compared`);
    assert.ok(sections.usage_requests.length > 1_300, 'more than one page');
    assert.ok(!text.includes('bob@example.com'));
    for (const [table, column] of [...LEFT_OUT].map((name) => name.split('.')))
      if (column !== undefined)
        for (const { [column]: secret } of rowsBefore.get(table ?? '') ?? [])
          assert.ok(!text.includes(String(secret)), `${table}.${column}`);
    assert.equal(sections.accounts[0].email_verified, false);
    assert.equal(sections.api_keys[0].operations, null);
  });

  it('is in the audit trail, and 429 past three per hour', async () => {
    await setImmediate();
    const [event] = (await ann.get('/account/audit')).body.events;
    assert.deepEqual([event.event, event.ip], ['data.downloaded', '203.0.113.1']);
    await ann.get('/account/export');
    await ann.get('/account/export');
    const refused = await ann.get('/account/export');
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limit_exceeded']);
    assert.ok(Number(refused.headers['retry-after']) > 60);
  });

  it('a page is loaded when the one before it was taken: the memory does not grow with the data', async () => {
    let loaded = 0;
    const endless = {
      loadExportPage: async () => ({
        section: 'usage_requests',
        rows: [{ id: ++loaded }],
        next: { section: 0, after: [loaded] },
      }),
    };
    const chunks = formatExport(endless, 'acc_x', '2026-01-01T00:00:00.000Z');
    for (let n = 1; n <= 5; n++) {
      await chunks.next();
      assert.ok(loaded <= n);
    }
    await chunks.return(undefined);
  });
});
