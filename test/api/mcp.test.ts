/** /mcp with the official client and the real service: each tool, its errors, its cost, and who may call. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EMAIL_OPTIONS } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionTable } from '#options';
import { createAccount, createKey } from '#accounts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const TOOLS = ['validateEmail', 'validateEmailBatch', 'getMetadata', 'getMetadataBatch', 'generatePdf'];

/** A result of a tool, as far as the tests read it. */
interface Result {
  content: { type: string; text?: string; resource?: { uri: string; mimeType: string; blob: string } }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

interface Message {
  result?: Result & { protocolVersion?: string; tools?: { name: string }[] };
  error?: { code: number; message: string };
  id: unknown;
}

const call = (name: string, args: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const send = (
  service: TestApp,
  key: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  service.call('/mcp', key, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const receive = async (...args: Parameters<typeof send>): Promise<Message> =>
  (await (await send(...args)).json()) as Message;

const getRemaining = (response: Response): number => Number(response.headers.get('x-ratelimit-remaining'));

describe('MCP', () => {
  let service: TestApp;
  let key: string;
  let site: Server;
  let pageUrl: string;
  before(async () => {
    site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<title>Café & more</title>'),
    ).listen(0, '127.0.0.3');
    await once(site, 'listening');
    pageUrl = `http://127.0.0.3:${(site.address() as AddressInfo).port}/?a=1&b=%20`;
    service = await startApp({ ...WITH_BROWSER, EGRESS_ALLOW_CIDRS: '127.0.0.3/32' }, { now: () => NOON });
    key = await service.createKey('business');
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    site.closeAllConnections();
    site.close();
  });

  /** Connects the official client; `auto` begins with the newest revision, `legacy` with a handshake. */
  async function connect(
    mode: 'auto' | 'legacy' = 'auto',
    headers: Record<string, string> = { 'x-api-key': key },
  ) {
    const sessions: (string | null)[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        sessions.push(response.headers.get('mcp-session-id'));
        return response;
      },
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return { client, sessions, [Symbol.asyncDispose]: () => client.close() };
  }

  for (const mode of ['auto', 'legacy'] as const)
    it(`the official client lists the operations and calls one (${mode}), without a session`, async () => {
      await using connected = await connect(mode);
      const { client, sessions } = connected;
      assert.equal(client.getProtocolEra(), mode === 'auto' ? 'modern' : 'legacy');
      assert.equal(client.getServerVersion()?.name, 'utility-api');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS,
      );
      const result = (await client.callTool({
        name: 'validateEmail',
        arguments: { email: 'ann+tag@b.invalid', details: true },
      })) as Result;
      const overHttp = await service.call('/v1/email/validate?email=ann+tag@b.invalid&details=true', key);
      const text = await overHttp.text();
      assert.equal(result.content[0]?.text, text);
      assert.deepEqual(result.structuredContent, JSON.parse(text));
      assert.deepEqual(new Set(sessions), new Set([null]));
    });

  it('the list of tools has at most 12 kB, as assistants read it in each conversation', async () => {
    await using connected = await connect();
    const { tools } = await connected.client.listTools();
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    assert.ok(bytes <= 12_000, `${bytes} bytes`);
    for (const { name, inputSchema } of tools)
      for (const [member, schema] of Object.entries(inputSchema.properties ?? {}))
        if (!name.endsWith('Batch')) assert.ok((schema as { description?: string }).description, member);
  });

  it('the schemas are those of the routes: arguments and required ones', async () => {
    await using connected = await connect();
    const { tools } = await connected.client.listTools();
    const document = (await (await service.call('/openapi.json')).json()) as {
      paths: Record<
        string,
        Record<string, { operationId: string; parameters?: { name: string }[]; requestBody?: unknown }>
      >;
    };
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    for (const { name, inputSchema } of tools) {
      // The parameters of a batch are for bodies of lines, which tools do not send.
      const found = operations.find(({ operationId }) => operationId === name);
      const { parameters } = found ?? {};
      if (parameters && found?.requestBody === undefined)
        assert.deepEqual(
          Object.keys(inputSchema.properties ?? {}),
          parameters.map((parameter) => parameter.name).filter((option) => isInTools(name, option)),
        );
      assert.equal(inputSchema['additionalProperties'], false);
      assert.ok(!JSON.stringify(inputSchema).includes('#/components'), name);
      // Arguments are no query: a model must not encode them, and there are no lines to order.
      assert.doesNotMatch(JSON.stringify(inputSchema), /percent-encoded|ndjson/, name);
    }
    assert.deepEqual(
      tools.map(({ inputSchema }) => inputSchema.required),
      [['email'], ['emails'], ['url'], ['urls'], ['html']],
    );
  });

  const isInTools = (operation: string, option: string): boolean => {
    const tables: Record<string, OptionTable> = {
      validateEmail: EMAIL_OPTIONS,
      getMetadata: METADATA_OPTIONS,
    };
    return tables[operation]?.[option]?.isInTools !== false;
  };

  it('metadata and batches have the results of HTTP, which match their schemas', async () => {
    await using connected = await connect();
    const { client } = connected;
    const page = (await client.callTool({
      name: 'getMetadata',
      arguments: { url: pageUrl, timeout: 5000 },
    })) as Result;
    assert.equal(page.structuredContent?.['title'], 'Café & more');
    assert.equal(page.structuredContent['url'], pageUrl);
    assert.deepEqual(JSON.parse(page.content[0]?.text ?? ''), page.structuredContent);
    const pages = (await client.callTool({
      name: 'getMetadataBatch',
      arguments: { urls: [pageUrl] },
    })) as Result;
    assert.deepEqual(pages.structuredContent?.['results'], [{ index: 0, ...page.structuredContent }]);
    const emails = Array.from({ length: 300 }, (_, n) => `ä“${n}”@b.invalid`);
    const reports = (await client.callTool({
      name: 'validateEmailBatch',
      arguments: { emails, details: true },
    })) as Result;
    const results = reports.structuredContent?.['results'] as { email: string }[];
    assert.deepEqual(
      results.map(({ email }) => email),
      emails,
    );
    assert.deepEqual(JSON.parse(reports.content[0]?.text ?? ''), reports.structuredContent);
  });

  it('a PDF is an embedded resource with the bytes of HTTP', async () => {
    const members = {
      html: '<h1>Rechnung</h1>'.repeat(200),
      now: '2030-01-01T00:00:00Z',
      filename: 'Räumung',
    };
    await using connected = await connect();
    const { content } = (await connected.client.callTool({
      name: 'generatePdf',
      arguments: members,
    })) as Result;
    const [pdf, summary] = content;
    assert.equal(pdf?.resource?.uri, 'file:///R%C3%A4umung.pdf');
    assert.equal(pdf.resource.mimeType, 'application/pdf');
    const bytes = Buffer.from(pdf.resource.blob, 'base64');
    const overHttp = await service.call('/v1/pdf/generate', key, {
      method: 'POST',
      body: JSON.stringify(members),
      headers: { 'content-type': 'application/json' },
    });
    assert.ok(bytes.equals(Buffer.from(await overHttp.arrayBuffer())), 'the same document');
    assert.deepEqual(JSON.parse(summary?.text ?? ''), {
      pages: Number(overHttp.headers.get('x-pdf-pages')),
      bytes: bytes.length,
      warnings: 0,
      first_warnings: [],
    });
  });

  it('warnings of a PDF are in the summary', async () => {
    const html = '<img src="http://127.0.0.9/gone.png">';
    const { result } = await receive(service, key, call('generatePdf', { html }));
    const summary = JSON.parse(result?.content[1]?.text ?? '') as {
      warnings: number;
      first_warnings: string[];
    };
    assert.equal(summary.warnings, 1);
    assert.match(summary.first_warnings[0] ?? '', /gone\.png/);
  });

  const faults: [name: string, tool: string, args: unknown, status: number, error: string, param?: string][] =
    [
      ['a missing argument', 'validateEmail', {}, 400, 'invalid_email', 'email'],
      [
        'an unknown argument',
        'validateEmail',
        { email: 'a@b.co', emial: 1 },
        400,
        'invalid_parameter',
        'emial',
      ],
      ['a value of a wrong type', 'validateEmail', { email: { a: 1 } }, 400, 'invalid_parameter', 'email'],
      ['a number for a text', 'validateEmail', { email: 5 }, 400, 'invalid_parameter', 'email'],
      ['a list for a text', 'getMetadata', { url: ['x'] }, 400, 'invalid_parameter', 'url'],
      [
        'a prototype as argument',
        'getMetadata',
        JSON.parse('{"url":"http://a.b","__proto__":{"x":1}}'),
        400,
        'invalid_parameter',
        '__proto__',
      ],
      ['another protocol', 'getMetadata', { url: 'ftp://a.b' }, 400, 'invalid_url', 'url'],
      ['a page out of reach', 'getMetadata', { url: 'http://127.0.0.3:1/' }, 422, 'unreachable'],
      ['a private address', 'getMetadata', { url: 'http://127.0.0.1/' }, 422, 'unreachable'],
      ['arguments over 16 KiB', 'validateEmail', { email: 'x'.repeat(20_000) }, 400, 'invalid_parameter'],
      ['no html', 'generatePdf', { page_size: 'A4' }, 400, 'missing_html', 'html'],
      [
        'another page size',
        'generatePdf',
        { html: 'x', page_size: 'B5' },
        400,
        'invalid_page_size',
        'page_size',
      ],
      [
        'html over 5 MiB',
        'generatePdf',
        { html: 'x'.repeat(5 * 1024 * 1024 + 1) },
        413,
        'payload_too_large',
        'html',
      ],
      [
        'a text of half a character',
        'generatePdf',
        { html: 'x', title: '\ud800' },
        400,
        'invalid_parameter',
        'title',
      ],
      [
        'a list that is too long',
        'getMetadataBatch',
        { urls: Array(101).fill('http://a.b') },
        400,
        'invalid_parameter',
        'urls',
      ],
    ];
  it('an error of an argument does not speak of percent-encoding', async () => {
    for (const [tool, args, message] of [
      ['validateEmail', {}, 'The argument email is missing.'],
      ['validateEmail', { email: ' ' }, 'The argument email is empty.'],
      ['getMetadata', {}, 'The argument url is missing.'],
      ['getMetadata', { url: 'http://a.b', timout: 5 }, undefined],
    ] as const) {
      const { result } = await receive(service, key, call(tool, args));
      const body = JSON.parse(result?.content[0]?.text ?? '') as { message: string };
      assert.doesNotMatch(body.message, /percent|\?\w+=|unencoded/);
      if (message !== undefined) assert.equal(body.message, message);
    }
  });

  for (const [name, tool, args, status, error, param] of faults)
    it(`an error of the operation is a result with its error body: ${name}`, async () => {
      const response = await send(service, key, call(tool, args));
      assert.equal(response.status, 200);
      const { result } = (await response.json()) as Message;
      assert.equal(result?.isError, true);
      assert.equal(result._meta?.['status'], status);
      assert.equal(result.structuredContent, undefined);
      const body = JSON.parse(result.content[0]?.text ?? '') as Record<string, string>;
      assert.deepEqual([body['error'], body['param']], [error, param], String(body['message']));
      assert.equal(body['request_id'], response.headers.get('x-request-id'));
    });

  it('a key that may call some operations sees their tools, and an error if it calls another', async () => {
    const { id: accountId } = await createAccount(
      service.app.storage.accounts,
      new Map([['business', { limitPerMinute: 6000, slots: null }]]),
      { email: 'narrow@example.com', plan: 'business', admin: false },
      NOON,
    );
    const { secret } = await createKey(
      service.app.storage.keys,
      { accountId, name: 'narrow', operations: ['validateEmail'] },
      NOON,
    );
    assert.deepEqual(
      (await receive(service, secret, LIST)).result?.tools?.map(({ name }) => name),
      ['validateEmail', 'validateEmailBatch'],
    );
    const { result } = await receive(service, secret, call('getMetadata', { url: pageUrl }));
    assert.deepEqual(result?._meta, { status: 401 });
    assert.match(result?.content[0]?.text ?? '', /not allowed to call this operation/);
  });

  it('a call costs what it costs over HTTP, a handshake and the list cost nothing', async () => {
    const { url } = service;
    const own = await service.createKey('business');
    const start = await send(service, own, LIST);
    assert.equal(getRemaining(start), 6000);
    assert.equal(start.headers.get('ratelimit'), '"default";r=6000;t=60');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { 'x-api-key': own } },
      }),
    );
    await client.listTools();
    const spent: number[] = [];
    for (const [name, args] of [
      ['validateEmail', { email: 'a@b.invalid' }],
      ['validateEmail', {}],
      ['validateEmailBatch', { emails: ['a@b.invalid', 'b@b.invalid', 'c@b.invalid'] }],
      ['validateEmailBatch', { emails: [] }],
      ['nothing', {}],
    ] as const)
      spent.push(getRemaining(await send(service, own, call(name, args))));
    assert.deepEqual(spent, [5999, 5998, 5995, 5994, 5994]);
    assert.equal(getRemaining(await service.call('/v1/email/validate?email=a@b.invalid', own)), 5993);
    await client.close();
  });

  it('the key may be a bearer token, at /mcp only', async () => {
    await using connected = await connect('auto', { authorization: `Bearer ${key}` });
    const result = (await connected.client.callTool({
      name: 'validateEmail',
      arguments: { email: 'x' },
    })) as Result;
    assert.equal(result.structuredContent?.['valid'], false);
    const overHttp = await service.call('/v1/email/validate?email=x', null, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(overHttp.status, 401);
  });

  it('a foreign Origin is 403; the own one, and none, are not', async () => {
    for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`]) {
      const response = await send(service, key, LIST, { origin });
      assert.deepEqual(
        [response.status, ((await response.json()) as { error: string }).error],
        [403, 'forbidden_origin'],
        origin,
      );
      assert.ok(response.headers.has('x-ratelimit-limit'));
    }
    assert.equal((await send(service, key, LIST, { origin: service.url })).status, 200);
    assert.equal((await send(service, key, LIST)).status, 200);
  });

  it('GET and DELETE are 405: there are no streams and sessions', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await service.call('/mcp', key, { method, headers: { accept: 'text/event-stream' } });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method);
    }
    assert.equal((await service.call('/mcp', null)).status, 401);
  });

  const malformed: [name: string, body: unknown, status: number, code: number | string][] = [
    ['JSON that breaks off', '{"jsonrpc":', 400, 'invalid_json'],
    ['a batch of messages', [LIST, LIST], 400, 'invalid_json'],
    ['nothing', '', 400, 'invalid_json'],
    ['a text', '"x"', 400, 'invalid_json'],
    [
      'deep arguments',
      `{"jsonrpc":"2.0","id":1,"params":${'['.repeat(99)}${']'.repeat(99)}}`,
      400,
      'invalid_json',
    ],
    ['a long id', { ...LIST, id: 'x'.repeat(65_537) }, 413, 'payload_too_large'],
    ['another version of JSON-RPC', { ...LIST, jsonrpc: '1.0' }, 400, -32_600],
    ['no message', { a: 1 }, 400, -32_600],
    ['an id that is null', { ...LIST, id: null }, 400, -32_600],
    ['an id that is an object', { ...LIST, id: { a: 1 } }, 400, -32_600],
    ['an unknown method', { ...LIST, method: 'nothing' }, 200, -32_601],
    ['a method of the prototype', { ...LIST, method: 'constructor' }, 200, -32_601],
    ['a subscription, which would be a stream', { ...LIST, method: 'subscriptions/listen' }, 404, -32_601],
    ['an unknown tool', call('nothing', {}), 200, -32_602],
    ['a tool of the prototype', call('__proto__', {}), 200, -32_602],
    ['arguments that are a list', call('validateEmail', ['a']), 200, -32_602],
    ['arguments that are null', call('validateEmail', null), 200, -32_602],
    ['no name', { ...LIST, method: 'tools/call', params: {} }, 200, -32_602],
  ];
  for (const [name, body, status, expected] of malformed)
    it(`is an error that names the fault, and costs no request: ${name}`, async () => {
      const before = getRemaining(await send(service, key, LIST));
      const response = await send(service, key, body);
      const message = (await response.json()) as Message | { error: string };
      const error = typeof message.error === 'string' ? message.error : message.error?.code;
      assert.deepEqual([response.status, error], [status, expected]);
      assert.equal(getRemaining(response), before);
    });

  it('a notification and a response are accepted without an answer', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'validateEmail', arguments: { email: 'x' } } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const response = await send(service, key, body);
      assert.deepEqual([response.status, await response.text()], [202, ''], JSON.stringify(body));
    }
  });

  it('other media types are 415, an error is a problem for clients that prefer it, and any Accept is answered', async () => {
    assert.equal((await send(service, key, LIST, { 'content-type': 'text/plain' })).status, 415);
    const problem = await send(service, 'nobody', LIST, { accept: 'application/problem+json' });
    assert.equal(problem.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    for (const accept of ['application/json', 'text/event-stream', '*/*', 'text/html'])
      assert.equal(
        (await receive(service, key, LIST, { accept })).result?.tools?.length,
        TOOLS.length,
        accept,
      );
  });

  it('concurrent calls with the same id get their own results', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `n${n}@b.invalid`);
    const answers = await Promise.all(
      names.map((email) => receive(service, key, call('validateEmail', { email }, 'same'))),
    );
    assert.deepEqual(
      answers.map(({ result, id }) => [result?.structuredContent?.['email'], id]),
      names.map((email) => [email, 'same']),
    );
  });
});

describe('MCP with small limits', () => {
  let service: TestApp;
  before(async () => {
    const settings = { OPERATIONS: 'email,metadata', PLANS: 'tiny=2', UNAUTHENTICATED_PER_MINUTE: '3' };
    service = await startApp(settings, { now: () => NOON });
  });
  after(() => service[Symbol.asyncDispose]());

  const VALID = call('validateEmail', { email: 'a' });

  it('OPERATIONS decides which tools exist', async () => {
    const key = await service.createKey('tiny');
    const { result } = await receive(service, key, LIST);
    assert.deepEqual(
      result?.tools?.map(({ name }) => name),
      TOOLS.slice(0, 4),
    );
    assert.equal((await receive(service, key, call('generatePdf', { html: 'x' }))).error?.code, -32_602);
  });

  it('the messages of a key that call nothing are bounded, apart from its calls and from other keys', async () => {
    const [one, two] = [await service.createKey('tiny'), await service.createKey('tiny')];
    const statuses: number[] = [];
    // Three for each request of the plan.
    for (const body of [
      LIST,
      '{',
      { a: 1 },
      { ...LIST, method: 'ping' },
      call('nothing', {}),
      VALID,
      LIST,
      LIST,
    ])
      statuses.push((await send(service, one, body)).status);
    assert.deepEqual(statuses, [200, 400, 400, 200, 200, 200, 200, 429]);
    const refused = await send(service, one, LIST);
    assert.equal(refused.headers.get('retry-after'), '60');
    assert.equal(((await refused.json()) as { error: string }).error, 'rate_limit_exceeded');
    assert.equal((await service.call('/mcp', one)).status, 429, 'GET counts as well');
    assert.equal((await send(service, one, LIST, { origin: 'https://evil.example' })).status, 429);
    assert.equal((await send(service, two, LIST)).status, 200);
    assert.equal((await receive(service, one, VALID)).result?.isError, undefined);
  });

  it('a call over the limit is a result with 429 and the time to wait, up to the bound of such messages', async () => {
    const key = await service.createKey('tiny');
    const batch = call('validateEmailBatch', { emails: ['a', 'b'] });
    assert.equal((await receive(service, key, VALID)).result?.isError, undefined);
    const refusedBatch = await receive(service, key, batch);
    assert.match(
      refusedBatch.result?.content[0]?.text ?? '',
      /needs 2 requests of the rate limit, and 1 of 2 are left/,
    );
    assert.equal((await receive(service, key, VALID)).result?.isError, undefined);
    const response = await send(service, key, VALID);
    assert.deepEqual([response.status, response.headers.get('retry-after')], [200, '60']);
    const { result } = (await response.json()) as Message;
    const [body, advice] = result?.content ?? [];
    assert.equal((JSON.parse(body?.text ?? '{}') as { error: string }).error, 'rate_limit_exceeded');
    assert.equal(advice?.text, 'Retry-After: 60');
    assert.deepEqual(result?._meta, { status: 429, retry_after_seconds: 60 });
    // A large body is not read for it.
    const large = await send(service, key, call('validateEmail', { email: 'x'.repeat(70_000) }));
    assert.equal(large.status, 429);
    for (let n = 0; n < 4; n += 1) assert.equal((await send(service, key, VALID)).status, 200);
    assert.equal((await send(service, key, VALID)).status, 429);
  });

  it('without a valid key every message is 401, which counts as a guess', async () => {
    const valid = await service.createKey('tiny');
    for (const [secret, headers] of [
      [null, {}],
      ['nobody', {}],
      [null, { authorization: 'Bearer nobody' }],
    ] as const) {
      const response = await send(service, secret, LIST, headers);
      assert.deepEqual([response.status, getRemaining(response) < 3], [401, true]);
      assert.equal(((await response.json()) as { error: string }).error, 'unauthorized');
    }
    assert.equal((await send(service, 'nobody', LIST)).status, 429);
    assert.equal((await send(service, valid, LIST)).status, 200, 'a valid key is not affected');
  });
});
