/** A field of a result is added in all of its places: the module, the schema of the route, the docs page. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { loadDomainLists, validateEmail } from '#email';
import { getMetadata } from '#metadata';
import { startApp, type TestApp } from '../support/start-app.ts';
import { type DescribedOperation, describeOperations, type Schema } from './operations.ts';
import { loadText } from './checkout.ts';

/** A page with one element of each list of the details. */
const PAGE = `<!doctype html><html lang="en"><head><title>A page</title>
<link rel="icon" href="/icon.png">
<link rel="alternate" type="application/rss+xml" href="/feed">
<link rel="alternate" type="application/json+oembed" href="/oembed">
<meta property="og:image" content="/image.png">
<meta property="og:video" content="/video.mp4">
<meta property="og:audio" content="/audio.mp3">
<meta property="og:locale:alternate" content="de_DE">
<link rel="alternate" hreflang="de" href="/de">
<meta name="author" content="Ines Walker">
<meta name="keywords" content="bridge">
<meta property="article:tag" content="harbour">
<meta name="apple-itunes-app" content="app-id=123">
<script type="application/ld+json">{"@type":"WebPage"}</script>
</head><body></body></html>`;

let operations: Record<string, DescribedOperation>;
let service: TestApp;
let key: string;
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
before(async () => {
  operations = await describeOperations();
  service = await startApp({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
  key = await service.createKey();
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  await service[Symbol.asyncDispose]();
  site.close();
});

it('getMetadata: the schema of the route has the fields that the module returns', async () => {
  const page = await getMetadata(
    { url: 'http://example.com/', followRedirects: true, timeoutMs: 1000, details: true },
    {
      client: 'test',
      now: () => 0,
      fetchPage: async (_request, reader) => {
        const redirects = [{ url: 'http://example.com/', status: 301, headers: new Map() }];
        const head = { finalUrl: 'http://example.com/a', status: 200, headers: new Map(), redirects };
        reader.start(head);
        reader.write(Buffer.from(PAGE));
        return { head, end: 'complete', visit: { redirects: [], state: null } };
      },
    },
  );
  assertNoEmptyList('getMetadata', page);
  compareNames('getMetadata', toSnakeCase(page), operations.getMetadata?.result ?? {});
});

it('validateEmail: the schema of the route has the fields that the module returns', async () => {
  const report = await validateEmail(
    { email: 'info+news@gmail.com', checkMx: true, suggest: true, details: true, policies: true },
    {
      lookupTxt: async () => ({ outcome: 'none' }),
      lists: loadDomainLists(),
      lookupMail: async () => ({ outcome: 'mx', exchanges: [{ exchange: 'mx.example.com', priority: 10 }] }),
    },
  );
  assertNoEmptyList('validateEmail', report);
  compareNames('validateEmail', toSnakeCase(report), operations.validateEmail?.result ?? {});
});

it('the responses have the fields that the routes describe', async () => {
  const { port } = site.address() as AddressInfo;
  const calls = {
    getMetadata: `/v1/meta?details=true&url=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`,
    validateEmail: '/v1/email/validate?details=true&check_mx=false&email=ann@gmail.com',
  };
  for (const [id, path] of Object.entries(calls)) {
    const response = await service.call(path, key);
    const body = (await response.json()) as object;
    assert.equal(response.status, 200, JSON.stringify(body));
    compareNames(id, body, operations[id]?.result ?? {});
  }
});

describe('the docs page names each field of', () => {
  it('getMetadata', () => {
    const rows = loadText('docs/reference/metadata.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|')[1] ?? '');
    // The URL is the caller's own, and the members of `details` have rows of their own.
    const { url: _url, details, ...fields } = operations.getMetadata?.result ?? {};
    for (const name of [...Object.keys(fields), ...Object.keys(details?.properties ?? {})])
      assert.ok(
        rows.some((row) => row.includes(`\`${name}\``) || row.includes(`\`${name}.`)),
        `docs/reference/metadata.md: no row for ${name} in the table of fields`,
      );
  });

  it('validateEmail', () => {
    const text = loadText('docs/reference/email.md');
    const { email: _email, domain: _domain, details, ...fields } = operations.validateEmail?.result ?? {};
    for (const name of [...Object.keys(fields), ...Object.keys(details?.properties ?? {})])
      assert.match(
        text,
        new RegExp(`\`(details\\.)?${name}\\b`),
        `docs/reference/email.md does not name ${name}`,
      );
  });
});

/** Compares the members of a value with those of its schema, and those of its objects with theirs. */
function compareNames(where: string, value: object, schema: Record<string, Schema>): void {
  for (const name of Object.keys(value))
    assert.ok(schema[name], `${where}: ${name} is returned and not in the schema of the route`);
  for (const name of Object.keys(schema))
    assert.ok(Object.hasOwn(value, name), `${where}: ${name} is in the schema of the route and not returned`);
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const { properties, items } = schema[name] ?? {};
    if (properties !== undefined && isObject(member)) compareNames(`${where}: ${name}`, member, properties);
    if (items?.properties !== undefined && Array.isArray(member))
      for (const one of member as object[]) compareNames(`${where}: ${name}[]`, one, items.properties);
  }
}

/** Fails if a list of a value, or of the objects in it, is empty: its elements could not be compared. */
function assertNoEmptyList(where: string, value: object): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (Array.isArray(member))
      assert.ok(member.length > 0, `${where}: give ${name} an element in test/map/fields.test.ts`);
    else if (isObject(member)) assertNoEmptyList(where, member);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The JSON names of the members of a value and of the objects in it. */
function toSnakeCase(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      convertNames(member),
    ]),
  );
}

function convertNames(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(convertNames);
  return isObject(member) ? toSnakeCase(member) : member;
}
