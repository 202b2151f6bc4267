import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkWording } from '../scripts/wording/check-wording.ts';

const find = (
  path: string,
  text: string,
  texts: 'sentences' | 'test-names' | 'labels' = 'sentences',
): string[] => checkWording(path, text, { texts }).map(({ line, pattern }) => `${line} ${pattern}`);

it('finds the patterns in comments, with the line of each', () => {
  const text = `/**
 * What a key may do.
 * The caller is told. Nobody asks.
 */
const a = 1; // the behaviour of whoever calls
/* A look-up. */`;
  assert.deepEqual(find('src/a.ts', text), [
    '2 doc comment that opens with a question word',
    '3 told',
    '3 nobody',
    '5 whoever',
    '5 British spelling',
    '6 look-up',
  ]);
});

it('finds doc comments that open with a question word, and no other comments or lines', () => {
  for (const word of ['What', 'Whether', 'How', 'Who', 'Where'])
    assert.equal(find('a.ts', `/** ${word} it is. */\nlet a;`).length, 1, word);
  assert.deepEqual(
    find('a.ts', '// What it is.\n/* How it is. */\n/**\n * Returns it.\n * How it is.\n */'),
    [],
  );
});

it('finds comment lines over 110 characters, but no code and no URL that cannot be wrapped', () => {
  const long = 'word '.repeat(23);
  assert.deepEqual(find('a.ts', `// short\n// ${long}\nconst a = 1; /*\n${long}*/`), [
    '2 long comment line',
    '4 long comment line',
  ]);
  assert.deepEqual(
    find('a.ts', `const a = [${'1, '.repeat(60)}];\n// https://example.com/${'a'.repeat(100)}`),
    [],
  );
});

it('finds the patterns in messages, test names, labels and Markdown', () => {
  assert.deepEqual(find('a.ts', 'throw new Error(`The e-mail of ${a} is serialised here`);'), [
    '1 e-mail',
    '1 British spelling',
  ]);
  assert.deepEqual(
    find('a.test.ts', "it('nobody waits', () => send('nobody is told here'));", 'test-names'),
    ['1 nobody'],
  );
  assert.deepEqual(find('a.tsx', '<p title="E-mail">\n  Grey bars\n</p>', 'labels'), [
    '1 e-mail',
    '2 British spelling',
  ]);
  assert.deepEqual(
    find('a.md', '# Colours\n```\nnobody\n```\n`whoever` [a](https://e-mail.example)\nIt gives up.'),
    ['1 British spelling', '6 give up'],
  );
});

it('passes over code, addresses, names and words that only look alike', () => {
  const code = `const nobody = lookUp('told'); // \`nobody\`, nobody@example.com, serialise.ts, #whoever
    const promise = 'otherwise a promise is precise';`;
  assert.deepEqual(find('a.ts', code), []);
});
