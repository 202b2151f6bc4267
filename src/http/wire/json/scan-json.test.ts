import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '#errors';
import { isFullRun } from '../../../../test/support/sample.ts';
import type { JsonLimits } from './body-limits.ts';
import { JsonScan } from './scan-json.ts';

const KNOWN = ['html', 'page_size', 'emails'];
const ENDLESS = { depth: Infinity, values: Infinity };

function createLimits(changes: Partial<JsonLimits> = {}): JsonLimits {
  return { members: Infinity, byMember: {}, others: ENDLESS, notObject: 'missing_html', ...changes };
}

/** Scans the text in chunks that end at the cuts; returns the error, or null. */
function scan(text: string | Buffer, limits: JsonLimits, cuts: readonly number[] = []): ApiError | null {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(limits);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let start = 0;
  try {
    for (const end of ends) {
      scan.push(bytes.subarray(start, end));
      start = end;
    }
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
}

interface Size {
  depth: number;
  values: number;
}

/** Depth and values of a parsed value. */
function measure(value: unknown): Size {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
  const inner = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: inner.length + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

/** The tightest limits that the object fits in. */
function fit(object: object): JsonLimits {
  const members = Object.entries(object);
  const others = members.filter(([name]) => !KNOWN.includes(name)).map(([, value]) => measure(value));
  const known = members.filter(([name]) => KNOWN.includes(name));
  return {
    members: members.length,
    byMember: Object.fromEntries(known.map(([name, value]) => [name, measure(value)])),
    others: {
      depth: Math.max(0, ...others.map(({ depth }) => depth)),
      values: others.reduce((sum, { values }) => sum + values, 0),
    },
    notObject: 'missing_html',
  };
}

/** Each of the limits lowered by one, where it can be. */
function tighten(limits: JsonLimits): JsonLimits[] {
  const lower = (size: Size): Size[] => [
    ...(size.depth > 0 ? [{ ...size, depth: size.depth - 1 }] : []),
    ...(size.values > 0 ? [{ ...size, values: size.values - 1 }] : []),
  ];
  return [
    ...(limits.members > 0 ? [{ ...limits, members: limits.members - 1 }] : []),
    ...lower(limits.others).map((others) => ({ ...limits, others })),
    ...Object.entries(limits.byMember).flatMap(([name, size]) =>
      lower(size).map((tight) => ({ ...limits, byMember: { ...limits.byMember, [name]: tight } })),
    ),
  ];
}

/** JSON with blanks, and with names spelled in escapes where `isEscaped`. */
function write(value: object, blank: string, isEscaped: boolean): string {
  const text = JSON.stringify(value, null, blank);
  const spell = (name: string): string =>
    name
      .split('')
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  return isEscaped
    ? text.replace(/"(html|page_size|emails)"/g, (_all, name: string) => `"${spell(name)}"`)
    : text;
}

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\\"', '[', '{', '}', ',', 'u0022', 'x'), maxLength: 80 }),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    texts,
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 5 }),
  ),
}));
const names = fc.oneof(fc.constantFrom(...KNOWN), texts);
const objects = fc.dictionary(names, values, { maxKeys: 8 });
const cuts = fc.array(fc.nat(), { maxLength: 20 });
const blanks = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
const runs = { seed: 10, numRuns: 2_000 };
const MUTATIONS = isFullRun ? 10_000 : 3_000;

describe('JsonScan', () => {
  it('accepts every body at its exact size and rejects it one below, however it is cut and spelled', () => {
    fc.assert(
      fc.property(objects, cuts, blanks, fc.boolean(), (object, cuts, blank, isEscaped) => {
        const text = write(object, blank, isEscaped);
        const parsed = JSON.parse(text) as object;
        const limits = fit(parsed);
        assert.equal(scan(text, limits, cuts), null, text);
        for (const tight of tighten(limits))
          assert.ok(scan(text, tight, cuts), `${text} ${JSON.stringify(tight)}`);
      }),
      runs,
    );
  });

  it('never rejects a mutated body that JSON.parse accepts within its size', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom('', ...'"\\[]{},:x0 '.split(''))), {
      minLength: 1,
      maxLength: 3,
    });
    let valid = 0;
    fc.assert(
      fc.property(objects, edits, cuts, (object, edits, cuts) => {
        let text = JSON.stringify(object);
        for (const [at, char] of edits)
          text = text.slice(0, at % text.length) + char + text.slice((at % text.length) + 1);
        const parsed = tryParse(text);
        if (parsed === null || hasRepeatedMember(text, parsed)) return;
        valid += 1;
        assert.equal(scan(text, fit(parsed), cuts), null, text);
        for (const tight of tighten(fit(parsed))) assert.ok(scan(text, tight, cuts), text);
      }),
      { ...runs, numRuns: MUTATIONS },
    );
    assert.ok(valid > MUTATIONS / 10, `${valid} mutations were JSON`);
  });

  it('cuts at every byte give the same verdict', () => {
    // Strings past the first 32 bytes are searched in another way.
    const long = `"${'a'.repeat(40)}\\\\\\"[{${'b'.repeat(40)}\\\\"`;
    const text = `{"long":[${long},${long}],"a\\"b":"\\\\","h\\u0074ml":[1,[2,"]\\\\\\"["],{}],"x":{"y":[]}}`;
    const limits = fit(JSON.parse(text) as object);
    const everywhere = Array.from({ length: text.length }, (_, at) => at);
    for (const tight of [limits, ...tighten(limits)])
      for (const cuts of [everywhere, ...everywhere.map((at) => [at])])
        assert.equal(scan(text, tight, cuts) === null, tight === limits);
  });

  const excesses: [body: string, limits: Partial<JsonLimits>, code: string, param?: string][] = [
    [
      '{"html":[[1]]}',
      { byMember: { html: { depth: 1, values: 9, code: 'missing_html' } } },
      'missing_html',
      'html',
    ],
    ['{"html":[1,2]}', { byMember: { html: { depth: 1, values: 1 } } }, 'invalid_json', 'html'],
    ['{"html":[1],"html":[1]}', { byMember: { html: { depth: 1, values: 1 } } }, 'invalid_json', 'html'],
    ['{"a":[1],"b":[1]}', { others: { depth: 1, values: 1 } }, 'invalid_json'],
    ['{"a":{}}', { others: { depth: 0, values: 0 } }, 'invalid_json'],
    ['{"a":1,"a":2}', { members: 1 }, 'invalid_json'],
    ['[{},{}]', { others: { depth: 9, values: 1 } }, 'missing_html'],
    ['[[[]]]', { others: { depth: 2, values: 9 } }, 'missing_html'],
  ];
  for (const [body, limits, code, param] of excesses)
    it(`${body} over its limits is ${code}${param ? ` of ${param}` : ''}`, () => {
      const error = scan(body, createLimits(limits));
      assert.deepEqual([error?.code, error?.param], [code, param]);
      assert.ok((error?.message.length ?? 0) > 20);
    });

  it('a member with a budget of bytes uses none of the others’, wherever the chunks end', () => {
    const big = 'x'.repeat(200);
    const check = (text: string, bytes: number, own: number, chunks: number[]): unknown[] => {
      const limits = { bytes, byMember: { big: { ...ENDLESS, bytes: own } } };
      const error = scan(text, createLimits(limits), chunks);
      return error === null ? [] : [error.code, error.param];
    };
    fc.assert(
      fc.property(cuts, (chunks) => {
        const twice = `{"a":"${'y'.repeat(80)}","big":"${big}","b\\u0067":1,"b\u0069g":"${big}","z":"${'y'.repeat(80)}"}`;
        assert.deepEqual(check(twice, 230, 450, chunks), []);
        assert.deepEqual(check(twice, 230, 400, chunks), ['payload_too_large', 'big']);
        assert.deepEqual(check(twice, 160, 450, chunks), ['payload_too_large', undefined]);
      }),
      runs,
    );
  });

  it('a body that is no JSON never makes the scan throw anything but ApiError', () => {
    const junk = fc.string({ unit: fc.constantFrom(...'"\\[]{},:u0 \u00ff'.split('')), maxLength: 60 });
    const limits = createLimits({ members: 5, others: { depth: 3, values: 5 } });
    fc.assert(
      fc.property(junk, cuts, (text, cuts) => void scan(text, limits, cuts)),
      runs,
    );
  });
});

function tryParse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * True if the text holds more names than what was parsed from it: JSON.parse keeps the last of equal ones.
 */
function hasRepeatedMember(text: string, parsed: object): boolean {
  let written = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?/g)) if (token.endsWith(':')) written += 1;
  return written !== countNames(parsed);
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + countNames(one), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}
