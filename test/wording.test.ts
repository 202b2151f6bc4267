import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wrapComments } from '../scripts/wording/wrap-comments.ts';
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

it('finds a question word at the start of a doc comment, and nowhere else', () => {
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

it('ignores code, addresses, names, and words that contain a pattern', () => {
  const code = `const nobody = lookUp('told'); // \`nobody\`, nobody@example.com, serialise.ts, #whoever
    const promise = 'otherwise a promise is precise';`;
  assert.deepEqual(find('a.ts', code), []);
});

it('wraps long comments and keeps code, lists, aligned text and code spans', () => {
  const words = 'word '.repeat(30).trim();
  const code = `const a = [${'1, '.repeat(60)}];`;
  assert.equal(wrapComments('a.ts', code), code);
  const text = `  /** ${words} */\n  let a; // ${words}\n`;
  const wrapped = wrapComments('a.ts', text).split('\n');
  assert.deepEqual(wrapped.slice(-2), [`  let a; // ${words}`, '']);
  assert.deepEqual(
    wrapped.slice(0, 4).map((line) => line.slice(0, 7)),
    ['  /**', '   * wo', '   * wo', '   */'],
  );
  assert.ok(wrapped.slice(0, 4).every((line) => line.length <= 110));
  assert.equal(wrapped.slice(1, 3).join(' ').replaceAll('   * ', ''), words);

  const list = `/**\n * - one\n * - ${words}\n * a    b\n */`;
  const [, one, two, hanging, aligned] = wrapComments('a.ts', list).split('\n');
  assert.deepEqual(
    [one, two?.slice(0, 9), hanging?.slice(0, 9), aligned],
    [' * - one', ' * - word', ' *   word', ' * a    b'],
  );

  const lines = `// ${words}\n// and\n\n// more`;
  assert.equal(wrapComments('a.ts', lines).split('\n').length, 4);
  assert.match(wrapComments('a.ts', `// ${'a '.repeat(50)}\`x y z x y z x y\``), /\n\/\/ `x y z x y z x y`$/);
  const once = wrapComments('a.ts', text);
  assert.equal(wrapComments('a.ts', once), once);
});
