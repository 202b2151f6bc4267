/** The arrows of ARCHITECTURE.md: who may import whom, and who alone may name what. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const operations = ['email', 'metadata', 'pdf'];
const parts = [...operations, 'egress', 'accounts', 'ratelimit', 'shares', 'usage', 'metrics', 'config'];
const arrows: Record<string, string[]> = {
  errors: [],
  'event-loop': [],
  log: [],
  ...Object.fromEntries(parts.map((part) => [part, ['errors', 'event-loop']])),
  browser: ['errors', 'event-loop'],
  pdf: ['browser', 'errors', 'event-loop'],
  storage: ['accounts', 'usage', 'ratelimit', 'errors'],
  http: [...operations, 'accounts', 'ratelimit', 'shares', 'usage', 'metrics', 'errors', 'event-loop'],
  cli: [...operations, 'accounts', 'ratelimit', 'shares', 'usage', 'metrics', 'errors', 'storage', 'config'],
  operations: [...operations, 'egress', 'shares', 'http', 'errors'],
  app: ['*'],
  uncaught: ['errors'],
  main: ['app', 'config', 'log'],
};
/** What only one module may name. */
const owners: [pattern: RegExp, owner: RegExp, what: string][] = [
  [/from '(fastify|@fastify\/[^']+)'/, /^(http|app)/, 'Fastify'],
  [/from '(kysely[^']*|node:sqlite|pg|ioredis)'/, /^storage/, 'SQL and Redis'],
  [/from '(undici|dns-packet|node:dgram|node:tls|node:dns[^']*)'/, /^egress/, 'sockets and DNS'],
  [/from 'pino'/, /^log\//, 'pino'],
  [/process\.env/, /^config\.ts$/, 'process.env'],
  [/from '#config'/, /^(app|main|cli)/, 'the configuration'],
  [/\bDate\.now\(|\bnew Date\(\)/, /^(app|main|cli)/, 'the clock'],
];

/** Every breach in one file, as a sentence. `path` is relative to src/. */
function findBreaches(path: string, text: string): string[] {
  const module = path.split(/[/.]/, 1)[0] ?? '';
  const allowed = arrows[module] ?? arrows[module.replace(/-.*$/, '')] ?? [];
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  const breaches = imports
    .filter((name) => name.startsWith('#') && !allowed.includes('*'))
    .filter((name) => !allowed.includes(name.slice(1).split('/', 1)[0] ?? ''))
    .map(
      (name) => `${path} imports ${name}, which is not among its arrows (${allowed.join(', ') || 'none'})`,
    );
  for (const name of imports.filter((name) => name.startsWith('.'))) {
    const target = new URL(name, `file:///${path}`).pathname.slice(1);
    if (target.split(/[/.]/, 1)[0] !== module && path.includes('/'))
      breaches.push(`${path} reaches into ${target}: import the module's face by its # name`);
  }
  for (const [pattern, owner, what] of owners)
    if (pattern.test(text) && !owner.test(path))
      breaches.push(`${path} names ${what}, which belongs elsewhere`);
  return breaches;
}

it('imports follow the arrows, and single owners stay single', () => {
  const root = new URL('../src/', import.meta.url).pathname;
  const files = globSync('**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  assert.ok(files.length > 30, 'the tree is read');
  assert.deepEqual(
    files.flatMap((path) => findBreaches(path, readFileSync(root + path, 'utf8'))),
    [],
  );
});

it('a planted violation is found', () => {
  assert.equal(findBreaches('email/x.ts', "import { a } from '#http';").length, 1);
  assert.equal(findBreaches('email/x.ts', "await import('#pdf');").length, 1);
  assert.equal(findBreaches('email/x.ts', "import { a } from '../http/server.ts';").length, 1);
  assert.equal(findBreaches('metadata/x.ts', "import { request } from 'undici';").length, 1);
  assert.equal(findBreaches('http/x.ts', 'const now = Date.now();').length, 1);
  assert.equal(findBreaches('accounts/x.ts', "import { readConfig } from '#config';").length, 2);
  assert.deepEqual(findBreaches('email/x.ts', "import { ApiError } from '#errors';"), []);
});
