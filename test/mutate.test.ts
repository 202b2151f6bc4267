import assert from 'node:assert/strict';
import {
  appendFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findKiller } from '../scripts/mutate/find-killer.ts';
import { chooseMutants, findMutants, type Mutant } from '../scripts/mutate/find-mutants.ts';
import { measureTest } from '../scripts/mutate/measure-test.ts';
import { MutationResults } from '../scripts/mutate/mutation-results.ts';
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

describe('a test file', () => {
  const CODE =
    'export const isLow = (a) => a < 3;\nexport const isHigh = (a) => a > 3;\nexport const limit = 3 ?? 4;\n';
  const TEST = `
    import assert from 'node:assert/strict';
    import { it } from 'node:test';
    import { isLow } from './code.js';`;

  /** Calls `act` with a folder that has `CODE` in code.js and `test` in code.test.js. */
  async function withFolder(test: string, act: (root: string) => Promise<void>): Promise<void> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'utility-api-mutate-')));
    try {
      writeFileSync(join(root, 'code.js'), CODE);
      writeFileSync(join(root, 'code.test.js'), TEST + test);
      await act(root);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  const getMutant = (operator: string): Mutant =>
    findMutants('code.js', CODE).find(({ replacement }) => replacement === operator)!;

  it('meets the mutants whose place it executes', async () => {
    await withFolder(`it('is low', () => assert.ok(isLow(2)));`, async (root) => {
      const executed = [getMutant('<='), getMutant('&&')];
      const measured = await measureTest(root, 'code.test.js', [...executed, getMutant('>=')]);
      assert.deepEqual(measured?.executes, new Set(executed));
    });
  });

  it('meets all mutants if it passes only without coverage', async () => {
    const test = `it('is not watched', () => assert.equal(process.env.NODE_V8_COVERAGE, undefined));`;
    await withFolder(test, async (root) => {
      const mutants = [getMutant('<='), getMutant('>=')];
      const measured = await measureTest(root, 'code.test.js', mutants);
      assert.deepEqual(measured?.executes, new Set(mutants));
    });
  });

  it('means nothing if it fails without a mutant', async () => {
    await withFolder(`it('is low', () => assert.ok(isLow(3)));`, async (root) => {
      assert.equal(await measureTest(root, 'code.test.js', []), null);
    });
  });

  it('kills a mutant if it fails, and leaves the code as it was', async () => {
    const outcomes: unknown[] = [];
    for (const value of ['3', '4'])
      await withFolder(`it('is not low', () => assert.ok(!isLow(${value})));`, async (root) => {
        const tests = [{ file: 'code.test.js', ms: 0, executes: new Set<Mutant>() }];
        outcomes.push(await findKiller(root, getMutant('<='), tests));
        assert.equal(readFileSync(join(root, 'code.js'), 'utf8'), CODE);
      });
    assert.deepEqual(outcomes, [{ file: 'code.test.js', outcome: 'failed' }, null]);
  });

  it('is not run again by a run that continues', async () => {
    await withFolder('', async (root) => {
      const mutants = [getMutant('<='), getMutant('>='), getMutant('&&')];
      const path = join(root, 'cache/results.jsonl');
      const first = new MutationResults(path, mutants);
      first.storeTest('slow.test.js', { file: 'slow.test.js', ms: 7, executes: new Set([mutants[1]!]) });
      first.storeTest('broken.test.js', null);
      first.storeKiller(mutants[0]!, { file: 'slow.test.js', outcome: 'failed' });
      first.storeKiller(mutants[1]!, null);
      appendFileSync(path, '{"mutant":2,"kil');
      const { tests, killers } = new MutationResults(path, mutants);
      assert.deepEqual([tests, killers], [first.tests, first.killers]);
      assert.deepEqual([tests.size, killers.size], [2, 2]);
    });
  });

  it('kills nothing if it fails once', async () => {
    const failOnce = `
      import { existsSync, writeFileSync } from 'node:fs';
      it('is slow at first', () => {
        const isSecond = existsSync('done');
        writeFileSync('done', '');
        assert.ok(isSecond);
      });`;
    await withFolder(failOnce, async (root) => {
      const tests = [{ file: 'code.test.js', ms: 0, executes: new Set<Mutant>() }];
      assert.equal(await findKiller(root, getMutant('<='), tests), null);
    });
  });
});

it('each module has tests that a mutant of it runs', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'));
  const modules = new Map(files.map((path) => [getModule(path), path]));
  for (const [module, path] of modules) assert.ok(planTests(ROOT, path).length > 0, module);
  assert.match(planTests(ROOT, 'src/limits/shares/fair-pool.ts')[0] ?? '', /^src\/shares\//);
});
