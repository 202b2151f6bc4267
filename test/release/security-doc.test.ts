/** The tests that SECURITY.md names exist: a promise without a test is not one. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../../', import.meta.url);

it('each promise of SECURITY.md names a test that exists', () => {
  const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
  const [, table = ''] = text.split('| promise | held by |');
  const rows = (table.split('\n\n', 1)[0] ?? '').split('\n').filter((row) => /^\| [A-Z]/.test(row));
  assert.ok(rows.length > 5);
  for (const row of rows) {
    const paths = [...row.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 0, row);
    for (const path of paths) assert.ok(existsSync(new URL(path, root)), path);
  }
});
