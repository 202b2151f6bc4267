/** A setting is added in all of its places: the table, its use, the generated docs. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Setting, SETTINGS } from '#config';
import { type Node, parseSource, walk } from '../../scripts/source/syntax-tree.ts';
import { findFiles, loadText } from './checkout.ts';

it('each setting is used outside the table', () => {
  const used = new Set(findFiles('src/**/*.ts').flatMap((path) => [...findMembers(path)]));
  for (const [name, { env }] of Object.entries<Setting<unknown>>(SETTINGS))
    assert.ok(used.has(name), `${env}: no code reads config.${name}; pass it to its module in src/app/`);
});

it('each setting is in docs/operate/configuration.md', () => {
  const docs = loadText('docs/operate/configuration.md');
  for (const { env } of Object.values<Setting<unknown>>(SETTINGS))
    assert.ok(
      docs.includes(`| \`${env}\` |`),
      `${env} is not in docs/operate/configuration.md: run npm run docs`,
    );
});

/** The names of members that a file reads, with a dot or by destructuring. */
function findMembers(path: string): Set<string> {
  const found = new Set<string>();
  if (path.startsWith('src/config') || path.endsWith('.test.ts')) return found;
  walk(parseSource(path, loadText(path)).program, (node) => {
    if (node.type === 'MemberExpression') found.add(String((node.property as Node).name));
    if (node.type !== 'ObjectPattern') return;
    for (const { key } of node.properties as Node[]) if (key) found.add(String((key as Node).name));
  });
  return found;
}
