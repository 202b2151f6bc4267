import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { loadDomainLists } from '#email';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { scaledMs } from '../support/patience.ts';

interface Evidence {
  source: string;
  says: string;
  date: string | null;
}

describe('GET /v1/email/validate', () => {
  let dns: DnsServer;
  let service: TestApp;
  let key: string;
  before(async () => {
    dns = await startDnsServer({
      zones: {
        'gmail.com': { MX: [{ exchange: 'gmail-smtp-in.l.google.com', priority: 5 }] },
        'gmail-smtp-in.l.google.com': { A: ['142.250.27.27'] },
        'mailinator.com': { MX: [{ exchange: 'mail.mailinator.com', priority: 1 }] },
        'mail.mailinator.com': { A: ['23.239.11.30'] },
        'dead-mx.com': { MX: [{ exchange: 'mx.dead-mx.com', priority: 10 }] },
        'private-mx.com': { MX: [{ exchange: 'mx.private-mx.com', priority: 10 }] },
        'mx.private-mx.com': { A: ['10.0.0.25'], AAAA: ['fd00::25'] },
        'unproven-mx.com': { MX: [{ exchange: 'mx.broken.com', priority: 10 }] },
        'mx.broken.com': 'SERVFAIL',
        'only-address.com': { A: ['93.184.215.14'] },
        'null-mx.com': { MX: [{ exchange: '', priority: 0 }] },
        'broken.com': 'SERVFAIL',
        '_dmarc.broken.com': 'SERVFAIL',
        'policies.com': {
          MX: [{ exchange: 'mail.mailinator.com', priority: 1 }],
          TXT: ['site-verification=1', 'v=spf1 include:_spf.google.com ~all'],
        },
        '_dmarc.policies.com': { TXT: ['v=DMARC1; p=quarantine; sp=reject'] },
        'nothing.com': {},
      },
    });
    service = await startApp({ DNS_SERVERS: `127.0.0.1:${dns.port}` });
    key = await service.createKey();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await dns.close();
  });

  const validate = async (query: string): Promise<Record<string, unknown>> => {
    const answer = await service.call(`/v1/email/validate?${query}`, key);
    assert.equal(answer.status, 200);
    return (await answer.json()) as Record<string, unknown>;
  };

  it('200: exactly the members of the contract', async () => {
    assert.deepEqual(await validate('email=ann%2Bnews@gmail.com'), {
      email: 'ann+news@gmail.com',
      valid: true,
      disposable: false,
      mx_found: true,
      format_valid: true,
      did_you_mean: null,
      domain: 'gmail.com',
      free_provider: true,
    });
  });

  it('200: the example of docs/reference/email.md, as it is there', async () => {
    const page = readFileSync(new URL('../../docs/reference/email.md', import.meta.url), 'utf8');
    const example = /validate\?(\S+details=true)"\n```\n```json\n(.*)\n```/.exec(page);
    const [, query = '', response = ''] = example ?? assert.fail('no example');
    const answer = await service.call(`/v1/email/validate?${query}`, key);
    // Sources add evidence with each update of the lists.
    const mask = (text: string) => text.replace(/(?<="disposable_evidence":\[\{)[^\]]*/, '');
    assert.equal(mask(await answer.text()), mask(response));
  });

  it('200: a typo is corrected, local part untouched', async () => {
    const { did_you_mean, valid } = await validate('email=Ann+News@gmial.com');
    assert.equal(did_you_mean, 'Ann+News@gmail.com');
    assert.equal(valid, false, 'gmial.com does not exist here');
    assert.equal((await validate('email=ann@gmial.com&suggest=false')).did_you_mean, null);
  });

  it('200: a malformed address is a result, not an error', async () => {
    assert.deepEqual(await validate('email=ann@@gmail'), {
      email: 'ann@@gmail',
      valid: false,
      disposable: false,
      mx_found: false,
      format_valid: false,
      did_you_mean: 'ann@gmail.com',
      domain: 'gmail',
      free_provider: false,
    });
  });

  it('200: a disposable provider is a field of its own', async () => {
    const { disposable, valid, mx_found } = await validate('email=a@mailinator.com');
    assert.deepEqual([disposable, valid, mx_found], [true, true, true]);
  });

  for (const [domain, mxFound, valid, status] of [
    ['gmail.com', true, true, 'found'],
    ['only-address.com', false, true, 'implicit'],
    ['null-mx.com', false, false, 'null_mx'],
    ['dead-mx.com', true, false, 'found'],
    ['private-mx.com', true, false, 'found'],
    ['unproven-mx.com', true, true, 'found'],
    ['nothing.com', false, false, 'none'],
    ['missing.com', false, false, 'none'],
    ['broken.com', false, true, 'unknown'],
  ] as const)
    it(`200: ${domain} is ${status}`, async () => {
      const result = await validate(`email=a@${domain}&details=true`);
      assert.deepEqual(
        [result.mx_found, result.valid, (result.details as { mx_status: string }).mx_status],
        [mxFound, valid, status],
      );
    });

  it('200: check_mx=false sends no DNS query', async () => {
    const asked = dns.questions.length;
    const { mx_found, valid, details } = await validate('email=a@unasked.com&check_mx=0&details=1');
    assert.deepEqual(
      [mx_found, valid, (details as { mx_status: string }).mx_status],
      [false, true, 'not_checked'],
    );
    assert.equal(dns.questions.length, asked);
  });

  it('200: details say who calls a domain disposable, since when, and that a suspected one is risky', async () => {
    const listed = await validate('email=a@mail.yopmail.com&details=true&check_mx=false');
    const { disposable_evidence: evidence } = listed['details'] as { disposable_evidence: Evidence[] };
    assert.ok(listed['disposable'] && evidence.some(({ says }) => says === 'disposable'));
    for (const one of evidence) {
      assert.deepEqual(Object.keys(one), ['source', 'says', 'date']);
      assert.match(one.date ?? '2012-01', /^20\d\d-(?:0[1-9]|1[012])$/);
    }
    const [name] = loadDomainLists().suspected;
    const suspected = await validate(`email=a@${name}&details=true&check_mx=false&suggest=false`);
    const { verdict, reasons } = suspected['details'] as { verdict: string; reasons: string[] };
    assert.deepEqual(
      [suspected['disposable'], verdict, reasons],
      [false, 'risky', ['suspected_disposable', 'not_checked']],
    );
  });

  it('200: details have the local part, its tag and the mail servers', async () => {
    const { details } = await validate('email=Info%2Btag@gmail.com&details=true');
    const { disposable_evidence: evidence, ...others } = details as { disposable_evidence: object[] };
    assert.ok(evidence.length > 0);
    assert.deepEqual(others, {
      verdict: 'deliverable',
      reasons: ['role'],
      score: 0.8,
      mx_status: 'found',
      reason: 'ok',
      normalized: 'info@gmail.com',
      local_part: 'Info',
      sub_address: 'tag',
      role: true,
      relay: false,
      parked: false,
      provider: 'Gmail',
      mx_records: [{ exchange: 'gmail-smtp-in.l.google.com', priority: 5 }],
      spf: null,
      dmarc: null,
      suggestion_confidence: null,
    });
  });

  it('200: policies=true adds SPF and DMARC, of a subdomain those of its registrable domain', async () => {
    const find = async (query: string): Promise<unknown[]> => {
      const { details } = await validate(`${query}&details=true&policies=true`);
      const { spf, dmarc } = details as Record<string, unknown>;
      return [spf, dmarc];
    };
    const spf = { status: 'found', policy: 'softfail', record: 'v=spf1 include:_spf.google.com ~all' };
    const dmarc = {
      status: 'found',
      policy: 'quarantine',
      subdomain_policy: 'reject',
      domain: 'policies.com',
      record: 'v=DMARC1; p=quarantine; sp=reject',
    };
    const absent = { policy: null, record: null };
    const noDmarc = { ...absent, subdomain_policy: null, domain: null };
    assert.deepEqual(await find('email=a@policies.com'), [spf, dmarc]);
    assert.deepEqual(await find('email=a@policies.com&check_mx=false'), [spf, dmarc]);
    assert.deepEqual(await find('email=a@mail.policies.com'), [{ status: 'none', ...absent }, dmarc]);
    assert.deepEqual(await find('email=a@broken.com'), [
      { status: 'unknown', ...absent },
      { status: 'unknown', ...noDmarc },
    ]);
    for (const email of ['a@acme.invalid', 'a@@policies.com', 'a@[192.0.2.1]'])
      assert.deepEqual(await find(`email=${encodeURIComponent(email)}`), [null, null], email);
  });

  it('200: without policies, no TXT record is queried', async () => {
    dns.forget();
    await validate('email=a@policies.com&details=true');
    assert.ok(!dns.questions.some(({ type }) => type === 'TXT'));
  });

  it('400: policies without details has no member to fill', async () => {
    for (const query of ['policies=true', 'policies=true&details=false']) {
      const answer = await service.call(`/v1/email/validate?email=a@policies.com&${query}`, key);
      const { error, param } = (await answer.json()) as Record<string, string>;
      assert.deepEqual([answer.status, error, param], [400, 'invalid_parameter', 'policies']);
    }
  });

  it('200: DNS that takes longer than timeout proves nothing, also in a batch, address by address', async () => {
    await using silent = await startDnsServer({
      zones: {
        'gmail.com': { MX: [{ exchange: 'mx.gmail.com', priority: 5 }] },
        'mx.gmail.com': { A: ['8.8.8.8'] },
      },
      answer: ({ name }) => (name.endsWith('slow.com') ? { drop: true } : null),
    });
    await using app = await startApp({ DNS_SERVERS: `127.0.0.1:${silent.port}` });
    const own = await app.createKey();
    const startedAt = performance.now();
    const read = async (response: Promise<Response>) => (await (await response).json()) as Report;
    interface Report {
      valid: boolean;
      details: { mx_status: string; reason: string; spf: { status: string } };
      results: Report[];
    }
    const options = 'timeout=500&details=true&policies=true';
    const one = await read(app.call(`/v1/email/validate?email=ann@slow.com&${options}`, own));
    // A lookup without a limit of its own takes 2,500 ms.
    assert.ok(performance.now() - startedAt < scaledMs(2400));
    const { mx_status, reason } = one.details;
    assert.deepEqual([one.valid, mx_status, reason], [true, 'unknown', 'dns_timeout']);
    const emails = ['a@slow.com', 'a@very-slow.com', 'a@gmail.com'];
    const { results } = await read(
      app.call('/v1/email/validate/batch', own, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ emails, timeout: 500, details: true }),
      }),
    );
    assert.deepEqual(
      results.map(({ valid, details }) => [valid, details.mx_status]),
      [
        [true, 'unknown'],
        [true, 'unknown'],
        [true, 'found'],
      ],
    );
  });

  it('400: a timeout out of its bounds', async () => {
    const answer = await service.call('/v1/email/validate?email=a@gmail.com&timeout=499', key);
    const { error, param, message } = (await answer.json()) as Record<string, string>;
    assert.deepEqual([answer.status, error, param], [400, 'invalid_parameter', 'timeout']);
    assert.match(message ?? '', /500 to 5000/);
  });

  it('a form encoder’s trailing blanks are not part of the address', async () => {
    assert.equal((await validate('email=ann@gmail.com++')).email, 'ann@gmail.com');
  });

  it('a domain is looked up once', async () => {
    dns.forget();
    await Promise.all(Array.from({ length: 50 }, (_, n) => validate(`email=u${n}@once-only.com`)));
    assert.equal(dns.count('once-only.com', 'MX'), 1);
  });
});

describe('POST /v1/email/validate/batch', () => {
  let service: TestApp;
  let dns: DnsServer;
  before(async () => {
    dns = await startDnsServer({
      answer: ({ name }) => ({ answers: [], ...(name === 'late.com' && { delayMs: 500 }) }),
    });
    service = await startApp(
      { DNS_SERVERS: `127.0.0.1:${dns.port}`, PLANS: 'free=10,big=100000' },
      { now: () => Date.UTC(2030, 0, 1) },
    );
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await dns.close();
  });

  const post = (key: string, body: unknown, headers = {}): Promise<Response> =>
    service.call('/v1/email/validate/batch', key, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('200: returns the result of the single operation for each address, in order, and counts one each', async () => {
    const key = await service.createKey('free');
    const emails = ['a@gmail.com', 'not an address', ' b@mailinator.com ', '', 'c@gmial.com'];
    const answer = await post(key, { emails });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '5');
    const { results } = (await answer.json()) as { results: { email: string }[] };
    assert.deepEqual(
      results.map(({ email }) => email),
      emails.map((email) => email.trim()),
    );
    const single = await service.call('/v1/email/validate?email=c@gmial.com', key);
    assert.deepEqual(results[4], await single.json());
  });

  it('429: a batch over the remaining limit is refused whole, without any work', async () => {
    const key = await service.createKey('free');
    const emails = Array.from({ length: 6 }, (_, n) => `u${n}@refused-batch.com`);
    assert.equal((await post(key, { emails: emails.slice(0, 5) })).status, 200);
    dns.forget();
    const refused = await post(key, { emails });
    assert.deepEqual(
      [refused.status, refused.headers.get('x-ratelimit-remaining'), refused.headers.get('retry-after')],
      [429, '5', '60'],
    );
    assert.equal(dns.questions.length, 0);
  });

  it('400: more than the plan’s whole limit can never fit', async () => {
    const key = await service.createKey('free');
    const answer = await post(key, { emails: Array.from({ length: 11 }, () => 'a@b.co') });
    assert.deepEqual([answer.status, ((await answer.json()) as { param: string }).param], [400, 'emails']);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '9', 'a refusal counts as one request');
  });

  it('400: wrong bodies name their field', async () => {
    const key = await service.createKey('big');
    for (const [body, param] of [
      [{}, 'emails'],
      [{ emails: [] }, 'emails'],
      [{ emails: 'a@b.co' }, 'emails'],
      [{ emails: ['a@b.co', 1] }, 'emails[1]'],
      [{ emails: ['a@b.co', 'c@d.co', null] }, 'emails[2]'],
      [{ emails: Array.from({ length: 1001 }, () => 'a') }, 'emails'],
      [{ emails: ['a'], checkmx: true }, 'checkmx'],
      [{ emails: ['a'], details: 'yes' }, 'details'],
      [{ emails: ['a'], policies: true }, 'policies'],
    ] as const) {
      const answer = await post(key, body);
      assert.deepEqual([answer.status, ((await answer.json()) as { param: string }).param], [400, param]);
    }
    assert.equal((await post(key, [])).status, 400);
  });

  const send = (key: string, type: string, body: string | Buffer, query = ''): Promise<Response> =>
    service.call(`/v1/email/validate/batch${query}`, key, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
  const CSV = 'text/csv; charset=utf-8';
  const NDJSON = 'application/x-ndjson';

  for (const [says, type, body] of [
    ['CSV of one column', CSV, 'a@acme.com\r\nb@acme.com\r\n'],
    ['CSV with a byte order mark and a header', CSV, '\ufeffEmail\na@acme.com\nb@acme.com'],
    ['CSV of several columns', CSV, 'name,email\r\n"Lee, ""Ann""\r\nof Acme",a@acme.com\r\nBob,"b@acme.com"'],
    ['CSV with empty lines and old ends of lines', CSV, '\n\nEMAIL,x\ra@acme.com,\r\r\nb@acme.com,'],
    ['NDJSON of strings', NDJSON, '"a@acme.com"\n"b@acme.com"\n'],
    ['NDJSON of objects', NDJSON, '\ufeff{"email":"a@acme.com"}\r\n\r\n{"email":"b@acme.com"}'],
  ] as const)
    it(`200: ${says}`, async () => {
      const answer = await send(await service.createKey('big'), type, body, '?check_mx=false&details=true');
      assert.equal(answer.status, 200);
      const { results } = (await answer.json()) as { results: { email: string; details: object }[] };
      assert.deepEqual(
        results.map(({ email, details }) => [email, typeof details]),
        [
          ['a@acme.com', 'object'],
          ['b@acme.com', 'object'],
        ],
      );
    });

  it('200: a quoted cell of CSV may be an address with a quoted local part', async () => {
    const answer = await send(await service.createKey('big'), CSV, '"""a b""@acme.com"', '?check_mx=false');
    const { results } = (await answer.json()) as { results: { email: string; format_valid: boolean }[] };
    assert.deepEqual([results[0]?.email, results[0]?.format_valid], ['"a b"@acme.com', true]);
  });

  it('200: with order=false in the query, CSV is answered in lines', async () => {
    const answer = await service.call(
      '/v1/email/validate/batch?check_mx=false&order=false',
      await service.createKey('big'),
      { method: 'POST', body: 'a@b.co', headers: { 'content-type': 'TEXT/CSV', accept: NDJSON } },
    );
    assert.equal((JSON.parse(await answer.text()) as { index: number }).index, 0);
  });

  const MANY = 100_000;
  for (const [says, type, body, error, param, words] of [
    ['no address', CSV, '', 'invalid_parameter', 'emails', '1 to 1000'],
    ['a header alone', CSV, 'email\n', 'invalid_parameter', 'emails', '1 to 1000'],
    [
      'columns without email',
      CSV,
      'name,mail\nAnn,a@b.co',
      'invalid_parameter',
      'emails',
      'one of them email',
    ],
    ['names between semicolons', CSV, 'name;email\nAnn;a@b.co', 'invalid_parameter', 'emails', 'by commas'],
    ['names between tabs', CSV, 'email\tname\na@b.co\tAnn', 'invalid_parameter', 'emails', 'by commas'],
    ['a line of other length', CSV, 'email,x\na@b.co,1\nb@b.co', 'invalid_parameter', 'emails[1]', '1 cells'],
    ['a quote that is not closed', CSV, 'email\n"a@b.co\n', 'invalid_parameter', 'emails', 'line 2'],
    ['text after a quote', CSV, '"a"b@c.co', 'invalid_parameter', 'emails', 'before the end'],
    ['bad UTF-8', CSV, Buffer.from('a@b.co\xff', 'latin1'), 'invalid_parameter', undefined, 'UTF-8'],
    ['100,000 lines', CSV, 'a@b.co\n'.repeat(MANY), 'invalid_parameter', 'emails', '1 to 1000'],
    ['100,000 quotes', CSV, `"${'""'.repeat(MANY)}`, 'invalid_parameter', 'emails', 'not closed'],
    ['100,000 commas', CSV, ','.repeat(MANY), 'invalid_parameter', 'emails', 'over 1000 cells'],
    ['no JSON', NDJSON, '"a@b.co"\nb@b.co', 'invalid_json', 'emails[1]', 'one JSON value per line'],
    ['a number', NDJSON, '"a@b.co"\n\n7', 'invalid_parameter', 'emails[1]', 'must be a string'],
    ['another member', NDJSON, '{"email":"a@b.co","x":1}', 'invalid_parameter', 'emails[0]', 'email alone'],
    ['an array', NDJSON, '["a@b.co"]', 'invalid_parameter', 'emails[0]', 'must be a string'],
    ['a deep line', NDJSON, '['.repeat(MANY), 'invalid_parameter', 'emails[0]', 'no string'],
    [
      'a fault after the 1,001st value',
      NDJSON,
      `${'"a@b.co"\n'.repeat(1001)}{`,
      'invalid_parameter',
      'emails',
      '1 to 1000',
    ],
    ['100,000 values', NDJSON, '"a@b.co"\n'.repeat(MANY), 'invalid_parameter', 'emails', '1 to 1000'],
  ] as const)
    it(`400: ${type === CSV ? 'CSV' : 'NDJSON'} with ${says}`, async () => {
      const answer = await send(await service.createKey('big'), type, body, '?check_mx=false');
      const got = (await answer.json()) as { error: string; param?: string; message: string };
      assert.deepEqual([answer.status, got.error, got.param], [400, error, param]);
      assert.ok(got.message.includes(words), got.message);
    });

  it('400: the options of CSV are in the query, and those of JSON are not', async () => {
    const key = await service.createKey('big');
    for (const [answer, param] of [
      [await send(key, CSV, 'a@b.co', '?checkmx=false'), 'checkmx'],
      [await send(key, CSV, 'a@b.co', '?policies=true'), 'policies'],
      [await send(key, CSV, 'a@b.co', '?order=false'), 'order'],
      [await send(key, 'application/json', '{"emails":["a@b.co"]}', '?check_mx=false'), 'check_mx'],
    ] as const)
      assert.deepEqual([answer.status, ((await answer.json()) as { param: string }).param], [400, param]);
  });

  it('413: CSV and NDJSON over 4 MiB', async () => {
    const key = await service.createKey('big');
    for (const type of [CSV, NDJSON])
      assert.equal((await send(key, type, '\n'.repeat(4 * 1024 * 1024 + 1))).status, 413);
  });

  it('415: another media type names those that are accepted, and CSV is refused elsewhere', async () => {
    const key = await service.createKey('big');
    const answer = await send(key, 'text/plain', 'a@b.co');
    const { message } = (await answer.json()) as { message: string };
    assert.equal(answer.status, 415);
    for (const type of ['application/json', 'text/csv', NDJSON]) assert.ok(message.includes(type), message);
    const elsewhere = await service.call('/v1/meta/batch', key, {
      method: 'POST',
      body: 'https://a.com',
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(elsewhere.status, 415);
  });

  it('200: 10,000 addresses over 500 domains cost one lookup per domain', async () => {
    const key = await service.createKey('big');
    dns.forget();
    for (let batch = 0; batch < 10; batch++)
      assert.equal(
        (await post(key, { emails: Array.from({ length: 1000 }, (_, n) => `u${n}@domain${n % 500}.com`) }))
          .status,
        200,
      );
    assert.equal(dns.questions.filter(({ type }) => type === 'MX').length, 500);
  });

  it('200: with order=false, each line is sent as soon as it is known, with its index', async () => {
    const key = await service.createKey('big');
    const emails = ['a@late.com', 'a@gmail.com', 'not an address', 'b@late.com'];
    const lines = { accept: 'application/x-ndjson' };
    const answer = await post(key, { emails, order: false }, lines);
    const results = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { index: number; email: string });
    assert.deepEqual(
      results.map(({ email }) => email),
      results.map(({ index }) => emails[index]),
    );
    const order = results.map(({ index }) => index);
    // Two of them are known at once, in any order; the others when late.com has responded.
    assert.deepEqual(
      [new Set(order.slice(0, 2)), new Set(order.slice(2))],
      [new Set([1, 2]), new Set([0, 3])],
    );
    const ordered = await (await post(key, { emails, order: true }, lines)).text();
    assert.ok(!ordered.includes('index'));
  });

  it('400: order=false is for lines only', async () => {
    const key = await service.createKey('big');
    const answer = await post(key, { emails: ['a@gmail.com'], order: false });
    const { error, param } = (await answer.json()) as Record<string, string>;
    assert.deepEqual([answer.status, error, param], [400, 'invalid_parameter', 'order']);
  });

  it('200: policies are looked up once per domain, for JSON and for lines', async () => {
    const key = await service.createKey('big');
    for (const accept of ['application/json', 'application/x-ndjson']) {
      dns.forget();
      const domain = `${accept.length}-batch.com`;
      const emails = Array.from({ length: 50 }, (_, n) => `u${n}@${domain}`);
      const answer = await post(key, { emails, details: true, policies: true }, { accept });
      assert.equal((await answer.text()).split('"spf":{"status":"none"').length, 51, accept);
      assert.deepEqual([dns.count(domain, 'TXT'), dns.count(`_dmarc.${domain}`, 'TXT')], [1, 1]);
    }
  });

  it('200: sends JSON if the Accept header prefers it to lines', async () => {
    const key = await service.createKey('big');
    const accept = 'application/x-ndjson;q=0.1, application/json';
    const answer = await post(key, { emails: ['a@gmail.com'], check_mx: null }, { accept });
    const { results } = (await answer.json()) as { results: unknown[] };
    assert.equal(results.length, 1);
  });

  it('400: a missing email is called missing, and a blank one empty', async () => {
    const key = await service.createKey('big');
    for (const [query, fault] of [
      ['emial=x', 'missing'],
      ['email=', 'empty'],
      ['email=+', 'empty'],
    ]) {
      const answer = await service.call(`/v1/email/validate?${query}`, key);
      const { message } = (await answer.json()) as { message: string };
      assert.equal(
        message,
        `The email parameter is ${fault}: send the address to validate as ?email=…, percent-encoded.`,
      );
    }
  });

  it('200: streams lines if application/x-ndjson is accepted', async () => {
    const key = await service.createKey('big');
    const answer = await post(
      key,
      { emails: ['a@gmail.com', 'b@gmail.com'] },
      { accept: 'application/x-ndjson' },
    );
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string });
    assert.deepEqual(
      lines.map(({ email }) => email),
      ['a@gmail.com', 'b@gmail.com'],
    );
  });
});
