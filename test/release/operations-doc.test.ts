/** The pages for operators, such as recover.md, name settings, tests, commands and messages that exist. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { runCli } from '#cli';
import { SETTINGS } from '#config';

const load = (name: string): string =>
  readFileSync(new URL(`../../docs/operate/${name}.md`, import.meta.url), 'utf8');
/** The pages with the sections whose settings are all in the table of settings. */
const SECTIONS = [
  ['monitor', 'Sizing'],
  ['troubleshooting', 'The service does not start'],
  ['troubleshooting', 'Lines of the log'],
  ['recover', 'Backup and restore'],
  ['recover', 'Upgrade and rollback'],
  ['data-protection', 'What leaves the machine'],
  ['install', 'Hardening'],
] as const;
const PAGES = [...new Set(SECTIONS.map(([name]) => name))];

function findSection(name: string, title: string): string {
  const [, rest] = load(name).split(`\n## ${title}\n`);
  assert.ok(rest, `no section ${title}`);
  return rest.split('\n## ', 1)[0] ?? '';
}

it('each setting that they name is in the table of settings', () => {
  const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
  const names = SECTIONS.flatMap(([name, title]) =>
    [...findSection(name, title).matchAll(/`([A-Z]{2,}(?:_[A-Z]+)+)/g)].map(([, name = '']) => name),
  );
  assert.ok(names.length > 15);
  for (const name of names) assert.ok(known.has(name.replace(/_FILE$/, '')), name);
});

it('each test that they name exists', () => {
  const text = PAGES.map(load).join('\n');
  const paths = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 5);
  for (const path of paths) assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), path);
});

it('the command line has the commands and options of its examples', async () => {
  const section = findSection('recover', 'Backup and restore');
  for (const name of ['backup', 'restore']) {
    const { stdout } = await runCli(
      [name, '--help'],
      () => assert.fail('opened'),
      () => assert.fail('opened'),
    );
    const options = [...stdout.matchAll(/\[(--\w+)/g)].map(([, option = '']) => option);
    for (const option of options.filter((one) => one !== '--json'))
      assert.ok(section.includes(`\`${option}`), `${name} ${option} is described`);
  }
});

/** Returns the messages of the first column of a section; `…` separates their parts. */
function findMessages(title: string): string[] {
  const cells = [...findSection('troubleshooting', title).matchAll(/^\| (`.*?`) \| /gm)];
  return cells.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
}

it('each error and log line of the table of troubleshooting is one of the service', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const source = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(root + path, 'utf8'))
    .join('\n');
  const messages = ['The service does not start', 'Lines of the log'].flatMap(findMessages);
  assert.ok(messages.length > 35);
  for (const message of messages)
    for (const part of message.split('…').map((one) => one.trim()))
      assert.ok(source.includes(part), `the service has no message with «${part}»`);
});

it('each warning and error that the service logs has a row of troubleshooting', () => {
  const root = new URL('../../', import.meta.url).pathname;
  const page = load('troubleshooting');
  const call = /\blog(?:ger)?\??\.(?:warn|error|fatal)\(\s*(?:\{[^{}]*\}(?:,\s*)?)?['`]([^'`$]{15,45})/g;
  let count = 0;
  for (const path of globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }))
    for (const [, start = ''] of readFileSync(root + path, 'utf8').matchAll(call)) {
      assert.ok(page.includes(start.slice(0, 25).trim()), `${path}: «${start}» has no row`);
      count += 1;
    }
  assert.ok(count > 10, String(count));
});
