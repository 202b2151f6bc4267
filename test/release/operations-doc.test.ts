/** The page for operators names settings, tests and commands that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { runCli } from '#cli';
import { SETTINGS } from '#config';

const page = new URL('../../docs/operate/operations.md', import.meta.url);
const text = readFileSync(page, 'utf8');
/** The sections whose settings are all in the table of settings. */
const SECTIONS = ['Sizing', 'When a part fails', 'Backup and restore', 'Upgrade and rollback', 'Hardening'];

function findSection(title: string): string {
  const [, rest] = text.split(`\n## ${title}\n`);
  assert.ok(rest, `no section ${title}`);
  return rest.split('\n## ', 1)[0] ?? '';
}

it('each setting that it names is in the table of settings', () => {
  const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
  const names = SECTIONS.flatMap((title) =>
    [...findSection(title).matchAll(/`([A-Z]{2,}(?:_[A-Z]+)+)/g)].map(([, name = '']) => name),
  );
  assert.ok(names.length > 15);
  for (const name of names) assert.ok(known.has(name.replace(/_FILE$/, '')), name);
});

it('each test that it names exists', () => {
  const paths = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  assert.ok(paths.length > 5);
  for (const path of paths) assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), path);
});

it('the command line has the commands and options of its examples', async () => {
  const section = findSection('Backup and restore');
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
