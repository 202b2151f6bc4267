/** Compares what the service sends with what the docs show. In the docs, … stands for what they leave out. */
import assert from 'node:assert/strict';

const OMITTED = '…';
/** Members that differ each time, or with each update of the lists of domains. */
const VARIABLE = new Set(['request_id', 'age', 'disposable_evidence']);

/** Parses JSON in which `, …` stands for further members, and members without braces for an object. */
export function parseExample(text: string): unknown {
  const members = text.replaceAll(/, …(?=\s*\})/g, `, "${OMITTED}": true`);
  return JSON.parse(members.startsWith('"') ? `{${members}}` : members) as unknown;
}

/** Fails if a value is not what the example shows. */
export function assertMatches(actual: unknown, example: unknown, where: string): void {
  if (typeof example === 'string') return assertText(actual, example, where);
  if (typeof example !== 'object' || example === null) return assert.deepEqual(actual, example, where);
  assert.ok(typeof actual === 'object' && actual !== null, `${where} is ${String(actual)}`);
  const { [OMITTED]: isPart, ...members } = example as Record<string, unknown>;
  const names = Object.keys(actual).filter((name) => !isPart || name in members);
  assert.deepEqual(names.toSorted(), Object.keys(members).toSorted(), `the members of ${where}`);
  for (const [name, member] of Object.entries(members)) {
    const value: unknown = (actual as Record<string, unknown>)[name];
    if (VARIABLE.has(name)) assert.equal(typeof value, typeof member, `${where}.${name}`);
    else assertMatches(value, member, `${where}.${name}`);
  }
}

function assertText(actual: unknown, example: string, where: string): void {
  const parts = example.split(OMITTED).map((part) => RegExp.escape(part));
  assert.match(String(actual), new RegExp(`^${parts.join('.+')}$`, 's'), where);
}

/** Fails if a response's head has not each line of the example. The requests that are left differ. */
export function assertHead(actual: string, example: string, where: string): void {
  const normalize = (text: string): string[] =>
    text.split(/\r?\n/).map((line) => line.replace(/^(x-ratelimit-remaining: )\d+$/, '$1<n>'));
  const lines = new Set(normalize(actual));
  for (const line of normalize(example.trim()))
    if (line !== OMITTED)
      assert.ok(lines.has(line), `${where} shows ${line}, and the service sends ${actual}`);
}
