/** The limits of docs/guides/limits.md, "Sizes", over real sockets. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseAnswers, sendRaw } from '../support/raw-http.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const PDF = '/v1/pdf/generate';
const BATCH = '/v1/email/validate/batch';
const members = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',');
const list = (count: number): string => `[${Array(count).fill('"x"').join(',')}]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('limits of request bodies', () => {
  let service: TestApp;
  let key: string;
  before(async () => {
    service = await startApp();
    key = await service.createKey();
  });
  after(() => service[Symbol.asyncDispose]());

  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;

  const cases: [name: string, path: string, body: string, error: string, param?: string][] = [
    ['131,072 members', PDF, `{"html":"x",${members(131_071)}}`, 'invalid_parameter', 'k0'],
    ['131,073 members', PDF, `{"html":"x",${members(131_072)}}`, 'invalid_json'],
    ['10,000 values in html', PDF, `{"html":${list(10_000)}}`, 'missing_html', 'html'],
    ['10,001 values in html', PDF, `{"html":${list(10_001)}}`, 'missing_html', 'html'],
    ['depth 65 in html', PDF, `{"html":${nested(65)}}`, 'missing_html', 'html'],
    [
      'depth 65 in page_size',
      PDF,
      `{"html":"x","page_size":${nested(65)}}`,
      'invalid_page_size',
      'page_size',
    ],
    ['depth 64 elsewhere', PDF, `{"html":"x","css":${nested(64)}}`, 'invalid_parameter', 'css'],
    ['depth 65 elsewhere', PDF, `{"html":"x","css":${nested(65)}}`, 'invalid_json'],
    ['10,001 values elsewhere', PDF, `{"html":"x","a":${list(5_000)},"b":${list(5_001)}}`, 'invalid_json'],
    ['an array of 10,001 values', PDF, list(10_001), 'missing_html'],
    ['20,001 values in data', PDF, `{"html":"x","data":{"a":${list(20_001)}}}`, 'invalid_json', 'data'],
    ['1,001 emails', BATCH, `{"emails":${list(1_001)}}`, 'invalid_parameter', 'emails'],
    ['10,000 emails', BATCH, `{"emails":${list(10_000)}}`, 'invalid_parameter', 'emails'],
    ['10,001 emails', BATCH, `{"emails":${list(10_001)}}`, 'invalid_json', 'emails'],
    ['emails of depth 16', BATCH, `{"emails":${nested(16)}}`, 'invalid_parameter', 'emails[0]'],
    ['emails of depth 17', BATCH, `{"emails":${nested(17)}}`, 'invalid_json', 'emails'],
    ['1,000 members', BATCH, `{"emails":["x"],${members(999)}}`, 'invalid_parameter', 'k0'],
    ['1,001 members', BATCH, `{"emails":["x"],${members(1_000)}}`, 'invalid_json'],
  ];
  for (const [name, path, body, error, param] of cases)
    it(`${path}: ${name} → ${error}${param ? ` of ${param}` : ''}`, async () => {
      const response = await service.call(path, key, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const refusal = (await response.json()) as { error: string; param?: string };
      assert.deepEqual([response.status, refusal.error, refusal.param], [400, error, param]);
    });

  it('a body over its limits is refused while it arrives', async () => {
    const { text } = await sendRaw(
      service.port,
      `${head(PDF)}content-length: 30000000\r\n\r\n{"html":"x","css":${'['.repeat(65)}`,
    );
    const [answer] = parseAnswers(text);
    assert.deepEqual([answer?.status, answer?.headers.get('connection')], [400, 'close']);
    assert.match(
      answer?.body ?? '',
      /"error":"invalid_json".*"The body is nested more than 64 deep, which no valid request/,
    );
  });

  for (const [chunks, bytes, status] of [
    [4_096, 1, 200],
    [4_097, 1, 400],
    [6_000, 64, 200],
  ] as const)
    it(`a batch of ${chunks} chunks of ${bytes} bytes is ${status}`, async () => {
      const open = '{"emails":["a@b.invalid"]}';
      const total = chunks * bytes;
      const body = open + ' '.repeat(total - open.length);
      const sent = Array.from({ length: chunks }, (_, n) => body.slice(n * bytes, (n + 1) * bytes));
      const { text } = await sendRaw(
        service.port,
        `${head(BATCH)}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${sent.map((chunk) => `${bytes.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`,
      );
      const [answer] = parseAnswers(text);
      assert.equal(answer?.status, status, text);
      if (status === 400) assert.match(answer.body, /"error":"invalid_parameter".*chunks of a few bytes/);
    });
});
