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

const PAGE = '<!doctype html><html lang="en"><head><title>A page</title></head><body></body></html>';

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
        const head = { finalUrl: 'http://example.com/', status: 200, headers: new Map(), redirects: [] };
        reader.start(head);
        reader.write(Buffer.from(PAGE));
        return { head, end: 'complete', visit: { redirects: [], cookies: null } };
      },
    },
  );
  compareNames('getMetadata', toSnakeCase(page), operations.getMetadata?.result ?? {});
});

it('validateEmail: the schema of the route has the fields that the module returns', async () => {
  const report = await validateEmail(
    { email: 'ann+news@gmail.com', checkMx: false, suggest: true, details: true },
    { lists: loadDomainLists(), lookupMail: () => assert.fail('no lookup without check_mx') },
  );
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
    const rows = loadText('docs/metadata.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|')[1] ?? '');
    // The URL is the caller's own, and `details` has a paragraph of its own.
    const { url: _url, details: _details, ...fields } = operations.getMetadata?.result ?? {};
    for (const name of Object.keys(fields))
      assert.ok(
        rows.some((row) => row.includes(`\`${name}\``) || row.includes(`\`${name}.`)),
        `docs/metadata.md: no row for ${name} in the table of fields`,
      );
  });

  it('validateEmail', () => {
    const text = loadText('docs/email.md');
    const { email: _email, domain: _domain, details, ...fields } = operations.validateEmail?.result ?? {};
    for (const name of [...Object.keys(fields), ...Object.keys(details?.properties ?? {})])
      assert.match(text, new RegExp(`\`(details\\.)?${name}\\b`), `docs/email.md does not name ${name}`);
  });
});

/** Compares the members of a value with those of its schema, and those of its objects with theirs. */
function compareNames(where: string, value: object, schema: Record<string, Schema>): void {
  for (const name of Object.keys(value))
    assert.ok(schema[name], `${where}: ${name} is returned and not in the schema of the route`);
  for (const name of Object.keys(schema))
    assert.ok(Object.hasOwn(value, name), `${where}: ${name} is in the schema of the route and not returned`);
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const { properties } = schema[name] ?? {};
    if (properties !== undefined && typeof member === 'object' && member !== null)
      compareNames(`${where}: ${name}`, member, properties);
  }
}

/** The JSON names of the members of a value and of the objects in it. */
function toSnakeCase(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof member === 'object' && member !== null && !Array.isArray(member) ? toSnakeCase(member) : member,
    ]),
  );
}
