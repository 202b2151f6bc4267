import assert from 'node:assert/strict';
import { it } from 'node:test';
import { JsonLdGraph } from './json-ld-graph.ts';

const build = (...blocks: unknown[]) =>
  new JsonLdGraph(blocks, { urls: ['https://a.example/b'], titles: [], isArticle: false });

it('JSON-LD: at most 20 nodes describe the page, of the first 200 at the top', () => {
  const articles = Array.from({ length: 300 }, () => ({ '@type': 'Article', author: 'Ines' }));
  const graph = build(articles);
  assert.deepEqual([graph.mainNodes.length, graph.topNodes.length], [20, 200]);
});

it('JSON-LD: a property is of any node with the same @id', () => {
  const graph = build(
    { '@id': '#a', name: '', url: '/a' },
    { '@id': 'https://a.example/b#a', name: 'Ines', url: '/b' },
  );
  const node = { '@id': '#a', jobTitle: null };
  assert.deepEqual(
    ['name', 'url', 'jobTitle', 'email'].map((name) => graph.get(node, name)),
    ['Ines', '/a', undefined, undefined],
  );
});

it('JSON-LD: the values of a property are the elements of lists, in order and up to a limit', () => {
  const graph = build({ '@id': '#a', name: 'Ines' });
  const value = [1, ['a', { '@set': ['b', null, true] }], { '@value': 'c' }, '#a', { name: 'd' }];
  const listed = [1, 'a', 'b', 'c', { '@id': '#a', name: 'Ines' }, { name: 'd' }];
  assert.deepEqual(graph.list(value), listed);
  assert.deepEqual(graph.list(value, 5), listed.slice(0, 5));
  assert.deepEqual(graph.list(undefined), []);
});

it('JSON-LD: a search takes 20,000 steps at most', () => {
  const graph = build();
  const found = Array.from({ length: 4_000 }, () => graph.list(['a', 'b', 'c', 'd', 'e']).length);
  assert.deepEqual([found[0], found.at(-1)], [5, 0]);
});
