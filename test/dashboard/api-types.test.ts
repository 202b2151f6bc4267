/** The types of the account API in the dashboard agree with the routes of the service. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, it } from 'node:test';
import { OPERATIONS as SERVICE_OPERATIONS } from '#accounts';
import { API_TYPES_FILE, formatApiTypes } from '../../dashboard/build/write-api-types.ts';
import { OPERATIONS } from '../../dashboard/src/components/operations.ts';
import { EVENT_SENTENCES } from '../../dashboard/src/pages/audit/audit-event.ts';

let types: string;

before(async () => {
  types = await formatApiTypes();
});

it('the generated types are up to date', async () => {
  const hint = 'run npm run docs';
  assert.equal(await readFile(API_TYPES_FILE, 'utf8'), types, hint);
});

it('every route has its own entry, with the members that its schema takes', () => {
  const routes = [...types.matchAll(/^  '((?:GET|POST|PATCH|DELETE) \/account[^']*)': \{$/gm)].map(
    ([, name]) => name,
  );
  assert.ok(routes.length >= 29, `${routes.length} routes`);
  assert.equal(new Set(routes).size, routes.length);
  assert.ok(
    types.includes(
      "'POST /account/sign-in': {\n    request: {\n      email: string;\n      password: string;\n    };",
    ),
  );
  assert.ok(!/\b(?:any|unknown)\b/.test(types));
});

it('the dashboard has a sentence for every audit event that the service writes', () => {
  const [, union = ''] = /^ +event:\n((?: +\| '[^']+';?\n)+)/m.exec(types) ?? [];
  const events = [...union.matchAll(/'([^']+)'/g)].map(([, event]) => event);
  assert.ok(events.length > 20);
  assert.deepEqual(new Set(Object.keys(EVENT_SENTENCES)), new Set(events));
});

it('the dashboard shows the operations that a key can be restricted to', () => {
  assert.deepEqual(
    OPERATIONS.map(({ id }) => id),
    [...SERVICE_OPERATIONS],
  );
});
