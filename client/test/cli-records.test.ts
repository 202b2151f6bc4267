/** The parts of lists: records, columns, repeated values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTable } from '../src/cli/list/find-column.ts';
import type { ListRow } from '../src/cli/list/list-input.ts';
import { pairRows } from '../src/cli/list/pair-rows.ts';
import { RecordSplitter, splitFields } from '../src/cli/list/split-records.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Splits a text that arrives in pieces of `size` bytes. */
function split(text: string, size: number, delimiter = ',') {
  const splitter = new RecordSplitter(delimiter);
  const all = bytes(text);
  const records = [];
  for (let at = 0; at < all.length; at += size) records.push(...splitter.push(all.slice(at, at + size)));
  return [...records, ...splitter.finish()].map(({ bytes, line, isEnded }) => [
    new TextDecoder().decode(bytes),
    line,
    isEnded,
  ]);
}

void describe('records', () => {
  it('are the same however the bytes arrive, with LF, CRLF and CR', () => {
    const text = 'a,"b\r\n""c"",d"\r\ne,5" f\r\n\r\ng\rh\n"i"';
    const expected = [
      ['a,"b\r\n""c"",d"', 1, true],
      ['e,5" f', 3, true],
      ['', 4, true],
      ['g', 5, true],
      ['h', 6, true],
      ['"i"', 7, false],
    ];
    for (let size = 1; size <= text.length; size += 1)
      assert.deepEqual(split(text, size), expected, `${size}`);
  });

  it('of more than 1 MiB are refused', () => {
    assert.throws(() => split('x'.repeat(1_100_000), 65_536), /longer than 1 MiB/);
  });

  it('have fields by RFC 4180; a quote within a field is a character', () => {
    for (const [record, fields] of [
      ['a,b,', ['a', 'b', '']],
      ['"a,1","b ""x""",""', ['a,1', 'b "x"', '']],
      ['5" pipe,a', ['5" pipe', 'a']],
      ['"john doe"@x.example,b', ['"john doe"@x.example', 'b']],
      ['"a,b"@x.example', ['"a,b"@x.example']],
      ['', ['']],
    ] as const)
      assert.deepEqual(splitFields(record, ','), fields, record);
  });
});

void describe('the column', () => {
  const kind = {
    noun: 'an address',
    plural: 'addresses',
    column: 'email',
    names: /^e-?mail$/i,
    looksLike: /\S@\S/,
  };
  const find = (text: string, options: object = {}) => {
    const all = { column: undefined, delimiter: undefined, hasNoHeader: false, ...options };
    const { delimiter, column, hasHeader } = findTable(bytes(text), kind, all);
    return [delimiter, column, hasHeader];
  };

  for (const [name, text, expected, options] of [
    ['is found by its name', 'id;E-Mail\n1;a@x.example\n', [';', 1, true]],
    ['is found by its values', 'name\tcontact\nAnn\ta@x.example\n', ['\t', 1, true]],
    ['is found without a header', 'Ann,a@x.example\nBob,b@x.example\n', [',', 1, false]],
    [
      'is the line of a plain list, commas included',
      'a,b@x.example\nc@x.example\nd@x.example\n',
      ['', 0, false],
    ],
    ['of a plain list may have a name', 'email\na@x.example\n', ['', 0, true]],
    ['of a plain list keeps a malformed first value', 'foo\na@x.example\n', ['', 0, false]],
    [
      'is that of a number',
      'a@x.example|b@x.example\nc@x.example|d@x.example\n',
      ['|', 1, false],
      { column: '2' },
    ],
    ['is that of a name', 'Work,Home\na@x.example,b@x.example\n', [',', 1, true], { column: 'home' }],
    ['is a value with --no-header', 'email\na@x.example\n', ['', 0, false], { hasNoHeader: true }],
  ] as const)
    it(name, () => assert.deepEqual(find(text, options), expected));

  it('that does not exist is an error that lists the columns', () => {
    assert.throws(
      () => find('a,email\n1,x@y.example\n', { column: 'mail' }),
      /no column mail, but 1 a, 2 email/,
    );
    assert.throws(() => find('a,email\n1,x@y.example\n', { column: '3' }), /has 2 columns/);
  });
});

void describe('repeated and empty values', () => {
  it('are paired in order, and many of them are not collected without bound', async () => {
    let sent = 0;
    let waiting = 0;
    let most = 0;
    async function* list(): AsyncGenerator<ListRow, void> {
      for (let n = 0; n < 100_000; n += 1) {
        most = Math.max(most, (waiting += 1));
        yield { line: n, cells: [], value: n % 50_000 === 0 ? `${n}` : n % 2 === 0 ? '' : '0' };
      }
    }
    // Reads all texts before the first result, as a batch may.
    async function* send(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
      for (const text of await Array.fromAsync(texts)) {
        sent += 1;
        yield `result ${text}`;
      }
    }
    let line = 0;
    for await (const { row, result } of pairRows(list(), send)) {
      waiting -= 1;
      assert.equal(row.line, line);
      assert.equal(result, row.value === '' ? null : `result ${row.value}`);
      line += 1;
    }
    assert.deepEqual([line, sent], [100_000, 2]);
    assert.ok(most <= 20_001, `${most}`);
  });
});
