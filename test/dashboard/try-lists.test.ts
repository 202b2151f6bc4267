/** Lists on the page that tries email: CSV in and out, and batches within the limit of the key. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Batch } from '../../dashboard/src/api/run-batch.ts';
import { RequestError } from '../../dashboard/src/api/request.ts';
import { listAddresses, parseList } from '../../dashboard/src/pages/try/email/address-list.ts';
import type { EmailResult } from '../../dashboard/src/pages/try/email/email-result.ts';
import { ListCheck, type SendBatch } from '../../dashboard/src/pages/try/email/list-check.ts';
import { formatResultCsv, summarize } from '../../dashboard/src/pages/try/email/list-result.ts';
import { findDelimiter, parseCsv } from '../../dashboard/src/pages/try/email/parse-csv.ts';

describe('CSV of a list', () => {
  it('is parsed with quotes, line ends of all systems, and commas, semicolons or tabs', () => {
    const rows = [
      ['name', 'email'],
      ['Ann, "A"\nB', 'ann@a.com'],
      ['', 'bob@b.com'],
    ];
    for (const [delimiter, end] of [
      [',', '\r\n'],
      [';', '\n'],
      ['\t', '\r'],
    ] as const) {
      const quoted = '"Ann, ""A""\nB"';
      const text = `name${delimiter}email${end}${quoted}${delimiter}ann@a.com${end}${end}${delimiter}bob@b.com`;
      assert.equal(findDelimiter(text), delimiter);
      assert.deepEqual(parseCsv(text, delimiter, 100), rows);
    }
    assert.deepEqual(parseCsv('a,\nb', ',', 100), [['a', ''], ['b']]);
    assert.deepEqual(parseCsv('"open,x', ',', 100), [['open,x']]);
    assert.equal(parseCsv('a\n'.repeat(50), ',', 7).length, 7, 'no more rows than asked for');
  });

  it('is searched for the column with addresses, with or without a header', () => {
    const list = parseList('a.csv', '\uFEFFid,Mail\n1,a@a.com\n2, a@a.com \n3,\n4,b@b.com\n');
    assert.deepEqual([list.header, list.bestColumn, list.rows.length], [['id', 'Mail'], 1, 4]);
    assert.deepEqual(listAddresses(list, 1), ['a@a.com', 'b@b.com'], 'each address is sent once');
    const pasted = parseList('Pasted list', 'a@a.com\nb@b.com');
    assert.deepEqual([pasted.header, pasted.rows.length], [['Column 1'], 2]);
    assert.throws(() => parseList('x.csv', 'one,two\n1,2'), /x\.csv has no column with email addresses/);
  });

  it('has the results as five more columns, and no cell that a spreadsheet runs as a formula', () => {
    const list = parseList('a.csv', 'email,note\nann@gmial.com,=cmd()\n+x@b.com,"a ""b"", c"\nc@c.com,\n');
    const results = new Map(
      [createResult('ann@gmial.com', { did_you_mean: 'ann@gmail.com' }), createResult('+x@b.com')].map(
        (result) => [result.email, summarize(result.email, result)],
      ),
    );
    assert.equal(
      formatResultCsv(list, 0, results).join(''),
      [
        '\uFEFFemail,note,result,did_you_mean,verdict,score,reasons',
        "ann@gmial.com,'=cmd(),typo,ann@gmail.com,,,",
        `'+x@b.com,"a ""b"", c",valid,,,,`,
        'c@c.com,,,,,,',
        '',
      ].join('\r\n'),
    );
  });
});

describe('a check of a list', () => {
  it('sends a small batch first, then as much as is left, and waits when the limit is used', async () => {
    const { check, sizes, waits } = createCheck(1200, [
      { remaining: 300 },
      { remaining: 0, resetSeconds: 41 },
      { remaining: 5000 },
    ]);
    await check.start();
    assert.deepEqual([check.status, check.done], ['finished', 1200]);
    assert.deepEqual(sizes, [10, 300, 600, 290]);
    assert.deepEqual(waits, [41]);
    assert.equal(check.counts.valid, 1200);
  });

  it('waits as the service says when other calls use the limit, then sends half as many', async () => {
    const over = new RequestError('Too many.', {
      status: 429,
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 7,
    });
    const { check, sizes, waits } = createCheck(30, [{ remaining: 600 }, over, over, { remaining: 600 }]);
    await check.start();
    assert.deepEqual([check.status, sizes, waits], ['finished', [10, 20, 20, 10, 10], [7, 7]]);
  });

  it('goes on from the last result when the connection is lost, and no address is missing', async () => {
    const { check, sizes } = createCheck(40, [
      { remaining: 600 },
      { remaining: 600, lines: 12 },
      { remaining: 600 },
    ]);
    await check.start();
    assert.deepEqual([check.status, check.done, sizes], ['finished', 40, [10, 30, 18]]);
  });

  it('stops with the error of a key that may not do this, and can be tried again', async () => {
    const refusal = new RequestError('Not allowed.', { status: 401, code: 'unauthorized' });
    const { check } = createCheck(20, [refusal, { remaining: 600 }]);
    await check.start();
    assert.deepEqual([check.status, check.error, check.done], ['failed', refusal, 0]);
    await check.start();
    assert.deepEqual([check.status, check.done], ['finished', 20]);
  });

  it('pauses after the batch that is on its way, and keeps its results', async () => {
    const { check, sizes } = createCheck(50, [{ remaining: 600 }], () => {
      if (check.done === 4) check.pause();
    });
    await check.start();
    assert.deepEqual([check.status, check.done, sizes], ['paused', 10, [10]]);
    await check.start();
    assert.deepEqual([check.status, check.done], ['finished', 50]);
  });
});

function createResult(email: string, change: Partial<EmailResult> = {}): EmailResult {
  return {
    email,
    valid: true,
    disposable: false,
    mx_found: true,
    format_valid: true,
    did_you_mean: null,
    domain: 'b.com',
    free_provider: false,
    ...change,
  };
}

type Answer = RequestError | { remaining: number; resetSeconds?: number; lines?: number };

/** Creates a check whose batches get these answers in turn; the last one is repeated. */
function createCheck(count: number, answers: Answer[], onChange = () => {}) {
  const sizes: number[] = [];
  const waits: number[] = [];
  const sendBatch: SendBatch = async (emails) => {
    const answer = answers[Math.min(sizes.length, answers.length - 1)] ?? { remaining: 600 };
    sizes.push(emails.length);
    if (answer instanceof RequestError) throw answer;
    const { remaining, resetSeconds = 60, lines = emails.length } = answer;
    return { limit: 600, remaining, resetSeconds, lines: yieldResults(emails.slice(0, lines)) };
  };
  const check = new ListCheck(
    Array.from({ length: count }, (_, index) => `p${index}@b.com`),
    {
      sendBatch,
      sleep: async (ms) => void waits.push(ms / 1000),
      onChange,
    },
  );
  return { check, sizes, waits };
}

async function* yieldResults(emails: string[]): Batch<EmailResult>['lines'] & AsyncGenerator<EmailResult> {
  for (const email of emails) yield createResult(email);
}
