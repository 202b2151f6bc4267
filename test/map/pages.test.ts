/**
 * A page of the dashboard is added in all of its places: the router, the server's list, the navigation, the
 * tests of all pages.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { getLiteralText, type Node, parseSource, walk } from '../../scripts/source/syntax-tree.ts';
import { findFiles, loadText } from './checkout.ts';

/** The pages of the router by path, each with the name of the route that it is inside. */
function findPages(): Map<string, string> {
  const pages = new Map<string, string>();
  for (const path of findFiles('dashboard/src/**/router.tsx'))
    walk(parseSource(path, loadText(path)).program, (node) => {
      if (node.type !== 'CallExpression' || (node.callee as Node).name !== 'createRoute') return;
      const [options] = node.arguments as [Node & { properties: Node[] }];
      const members = new Map(
        options.properties.map(({ key, value }) => [(key as Node).name, value as Node]),
      );
      const page = getLiteralText(members.get('path'));
      const parent = members.get('getParentRoute')?.body as Node | undefined;
      if (page !== null) pages.set(page, String(parent?.name));
    });
  return pages;
}

function findLiterals(files: string[]): Set<string> {
  const found = new Set<string>();
  for (const path of files)
    walk(parseSource(path, loadText(path)).program, (node) => {
      const text = getLiteralText(node);
      if (text !== null) found.add(text.split('?', 1)[0] ?? '');
    });
  return found;
}

const pages = findPages();

it('the pages of the router are found', () => assert.ok(pages.size > 10, [...pages.keys()].join(' ')));

it('each page for people who are signed in is in the navigation', () => {
  const linked = findLiterals(findFiles('dashboard/src/**/navigation.tsx'));
  for (const [page, parent] of pages)
    if (parent === 'frame') assert.ok(linked.has(page), `${page} is not in the dashboard's navigation.tsx`);
});

it('each page is among those that the server answers', () => {
  const routed = findLiterals(findFiles('src/http/**/dashboard.ts'));
  for (const page of pages.keys())
    assert.ok(
      routed.has(page),
      `${page} is not in DASHBOARD_PAGES (src/http): it would be answered with 404`,
    );
});

it('each page is looked at by axe in both themes', () => {
  const tested = findLiterals(['test/dashboard/pages/pages.test.ts']);
  for (const page of pages.keys())
    assert.ok(tested.has(page), `${page} is not in the lists of test/dashboard/pages/pages.test.ts`);
});
