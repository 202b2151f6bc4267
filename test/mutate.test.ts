import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { chooseMutants, findMutants } from '../scripts/mutate/find-mutants.ts';
import { getModule, planTests } from '../scripts/mutate/test-plan.ts';

const ROOT = new URL('../', import.meta.url).pathname;

/** Returns the mutated texts of a text. */
function mutate(text: string): string[] {
  return findMutants('a.ts', text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
}

describe('mutants', () => {
  it('change operators', () => {
    assert.deepEqual(mutate('a < b;'), ['a <= b;']);
    assert.deepEqual(mutate('a && b;'), ['a || b;']);
    assert.deepEqual(mutate('a ?? b;'), ['a && b;']);
    assert.deepEqual(mutate('a += b;'), ['a -= b;']);
    assert.deepEqual(mutate('a++;'), ['a--;']);
    assert.deepEqual(mutate('f(!a);').slice(1), ['f(a);']);
  });

  it('change conditions both ways', () => {
    assert.deepEqual(mutate('if (a) b;'), ['if (true) b;', 'if (false) b;']);
    assert.deepEqual(mutate('x = a ? b : c;'), ['x = true ? b : c;', 'x = false ? b : c;']);
    assert.deepEqual(mutate('while (a) ;'), ['while (false) ;']);
  });

  it('change constants', () => {
    assert.deepEqual(mutate('x = true;'), ['x = false;']);
    assert.deepEqual(mutate('x = 1;'), ['x = 2;']);
    assert.deepEqual(mutate('x = 4096;'), ['x = 0;']);
    assert.deepEqual(mutate("x = 'a';"), ["x = '';"]);
  });

  it('remove calls that stand alone', () => {
    assert.deepEqual(mutate('a.b(c);'), [';']);
    assert.deepEqual(mutate('await a();'), [';']);
    assert.deepEqual(mutate('void a?.();'), [';']);
  });

  it('leave types, imports, keys, sums of texts and sentences alone', () => {
    for (const text of [
      "import { a } from './a.ts';",
      "export { a } from './a.ts';",
      "type A = 'a' | 1;",
      "let a: 'x' = b as 'y';",
      "x = { 'a': b };",
      "x = 'a b' + c;",
      'class A extends B { constructor() { super(); } }',
    ])
      assert.deepEqual(mutate(text), [], text);
  });

  it('are at the right offset after characters of more than one byte', () => {
    assert.deepEqual(mutate('/* … 🙂 */ a < b;'), ['/* … 🙂 */ a <= b;']);
  });

  it('are the same for the same seed, and each is chosen at most once', () => {
    const all = findMutants('a.ts', Array.from({ length: 50 }, (_, index) => `a${index} < b;`).join('\n'));
    assert.deepEqual(chooseMutants(all, 7, 20), chooseMutants(all, 7, 20));
    assert.notDeepEqual(chooseMutants(all, 7, 20), chooseMutants(all, 8, 20));
    assert.equal(new Set(chooseMutants(all, 7, 50)).size, 50);
  });
});

it('each module has tests for its mutants', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
  const modules = new Map(files.map((path) => [getModule(path), path]));
  for (const [module, path] of modules) assert.ok(planTests(ROOT, path).length > 0, module);
  assert.match(planTests(ROOT, 'src/shares/fair-pool.ts')[0] ?? '', /^src\/shares\//);
});
