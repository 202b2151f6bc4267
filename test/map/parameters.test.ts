/** A parameter of an operation is added in all of its places: the batch, the operation, the docs page. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import type { Caller } from '#accounts';
import { loadConfig } from '#config';
import { ApiError } from '#errors';
import { createServer, MAX_PDF_BODY_BYTES } from '#http';
import { EMAIL_OPTIONS } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionTable } from '#options';
import { computeCapacities, createMemoryWindowCounter, createShares } from '#limits';
import { NO_TRACING } from '#telemetry';
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';
import { PARAMETER_TABLES, replaceParameterTable } from '../../scripts/parameter-table.ts';
import { startApp } from '../support/start-app.ts';
import { type DescribedOperation, describeOperations } from './operations.ts';
import { loadText } from './checkout.ts';
import { NO_OBSERVER } from '../support/no-observer.ts';

let operations: Record<string, DescribedOperation>;
before(async () => {
  operations = await describeOperations();
});

/** Each operation with a batch, and the members with their one item and with their list. */
const BATCHES = [
  { single: 'validateEmail', item: 'email', batch: 'validateEmailBatch', list: 'emails' },
  { single: 'getMetadata', item: 'url', batch: 'getMetadataBatch', list: 'urls' },
];

for (const { single, item, batch, list } of BATCHES)
  it(`${batch} describes each option of ${single}, and no other`, () => {
    const { [item]: _item, ...options } = operations[single]?.members ?? {};
    // The order of the lines is an option of the batch alone.
    const { [list]: _list, order: _order, ...shared } = operations[batch]?.members ?? {};
    assert.notDeepEqual(options, {});
    for (const [name, { type, default: fallback }] of Object.entries(options)) {
      assert.ok(shared[name], `${name} of ${single} is missing in the schema of ${batch}`);
      // In JSON, a choice that has true and false may also be a boolean.
      const [mainType] = [shared[name].type].flat();
      assert.deepEqual(
        { type: mainType, default: shared[name].default },
        { type, default: fallback },
        `${name} differs between ${single} and ${batch}`,
      );
    }
    assert.deepEqual(Object.keys(shared).toSorted(), Object.keys(options).toSorted());
  });

it('each choice is one enum with its type, which every generator and /reference understand', async () => {
  const faults: string[] = [];
  const check = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { anyOf, type, ...schema } = value as { anyOf?: { enum?: unknown }[]; type?: unknown };
    if (Array.isArray(anyOf) && anyOf.some((part) => part.enum !== undefined)) faults.push(path);
    if ('enum' in schema && type === undefined) faults.push(path);
    for (const [name, member] of Object.entries(value)) check(member, `${path}/${name}`);
  };
  check(JSON.parse(await formatOpenApiDoc()), '');
  assert.deepEqual(faults, []);
  const schemas = operations as Record<string, { members: Record<string, { enum?: unknown[] }> }>;
  assert.deepEqual(schemas.getMetadata?.members.render?.enum, ['false', 'true', 'auto']);
  assert.deepEqual(schemas.getMetadataBatch?.members.render?.enum, ['false', 'true', 'auto']);
});

it('each operation accepts each member that its route describes', async () => {
  await using service = await startApp();
  const key = await service.createKey();
  for (const { id, members } of Object.values(operations)) {
    for (const [name, schema] of Object.entries(members)) {
      if (schema.default === undefined) continue;
      const response = await send(service, key, id, name, schema.default);
      const { param = null, message = '' } = (await response.json()) as { param?: string; message?: string };
      // The other members are missing, so each call fails; it must not fail because of this one.
      assert.notEqual(param, name, `${name} is described by ${id} and not parsed: ${message}`);
    }
  }
});

/** The operations that take a body, with members that make each call fail, but not because of its options. */
const POSTS: Record<string, { path: string; required: object }> = {
  generatePdf: { path: '/v1/pdf/generate', required: {} },
  validateEmailBatch: { path: '/v1/email/validate/batch', required: { emails: ['a b'], no_such_member: 1 } },
  getMetadataBatch: { path: '/v1/meta/batch', required: { urls: ['a b'], no_such_member: 1 } },
};

/** Calls an operation with one member and without those that it requires. */
function send(
  service: Awaited<ReturnType<typeof startApp>>,
  key: string,
  id: string,
  name: string,
  value: unknown,
): Promise<Response> {
  const query = `?${name}=${encodeURIComponent(String(value))}`;
  if (id === 'validateEmail') return service.call(`/v1/email/validate${query}&email=a%20b&email=c`, key);
  if (id === 'getMetadata') return service.call(`/v1/meta${query}&url=about:blank`, key);
  const { path, required } = POSTS[id]!;
  return service.call(path, key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [name]: value, ...required }),
  });
}

it('each option reaches its operation', async () => {
  const requests: unknown[] = [];
  const reachedBy = (request: unknown): never => {
    requests.push(request);
    throw new ApiError('unavailable');
  };
  const app = await createServerOf(reachedBy);
  for (const { id, members, required } of Object.values(operations)) {
    for (const [name, { default: fallback, minimum = 0, maximum = 60 }] of Object.entries(members)) {
      if (required.has(name) || !(typeof fallback === 'boolean' || typeof fallback === 'number')) continue;
      // The metadata operation knows nothing of the order of a batch.
      if (id === 'getMetadataBatch' && name === 'order') continue;
      const other = typeof fallback === 'boolean' ? !fallback : fallback === minimum ? maximum : minimum;
      requests.length = 0;
      for (const value of [fallback, other]) await app.inject(CALLS[id]!(name, value));
      assert.equal(requests.length, 2, `${id} does not accept ${name}=${other}`);
      assert.notDeepEqual(requests[0], requests[1], `${name} of ${id} does not reach the operation`);
    }
  }
  await app.close();
});

/** A valid call of each operation with one more member, and with the option that it needs. */
const CALLS: Record<string, (name: string, value: unknown) => InjectOptions> = {
  validateEmail: (name, value) =>
    createCall(
      `/v1/email/validate?email=a@example.com${formatNeeded(EMAIL_OPTIONS, name)}&${name}=${String(value)}`,
    ),
  validateEmailBatch: (name, value) => {
    const members = { emails: ['a@example.com'], ...listNeeded(EMAIL_OPTIONS, name), [name]: value };
    const call = createCall('/v1/email/validate/batch', members);
    return { ...call, headers: { ...call.headers, accept: 'application/x-ndjson' } };
  },
  getMetadata: (name, value) =>
    createCall(
      `/v1/meta?url=http://example.com/${formatNeeded(METADATA_OPTIONS, name)}&${name}=${String(value)}`,
    ),
  getMetadataBatch: (name, value) =>
    createCall('/v1/meta/batch', {
      urls: ['http://example.com/'],
      ...listNeeded(METADATA_OPTIONS, name),
      [name]: value,
    }),
  generatePdf: (name, value) => createCall('/v1/pdf/generate', { html: '<p>', [name]: value }),
};

/** Returns the option that must be on with another, as a member of a body. */
function listNeeded(table: OptionTable, name: string): Record<string, true> {
  const needs = table[name]?.needs;
  return needs === undefined ? {} : { [needs]: true };
}

function formatNeeded(table: OptionTable, name: string): string {
  return Object.keys(listNeeded(table, name))
    .map((needed) => `&${needed}=true`)
    .join('');
}

function createCall(url: string, payload?: object): InjectOptions {
  const headers = { 'x-api-key': 'test' };
  return payload ? { method: 'POST', url, headers, payload } : { method: 'GET', url, headers };
}

/** The server with each operation replaced by `operate`, and one caller who may do everything. */
function createServerOf(operate: (request: unknown) => never): Promise<FastifyInstance> {
  const caller: Caller = {
    keyId: 'key',
    limitId: 'key',
    accountId: 'a',
    plan: 'business',
    operations: null,
    clientNetworks: null,
    limitPerMinute: 1000,
    slots: null,
  };
  return createServer({
    authenticate: async () => caller,
    findCaller: () => caller,
    findAccountId: () => null,
    keyWindows: createMemoryWindowCounter(),
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: 1000,
    now: () => 0,
    validateEmail: operate,
    validateEmails: operate,
    getMetadata: operate,
    canRender: true,
    generatePdf: operate,
    recordUsage: () => {},
    readParts: async () => ({}),
    isDraining: () => false,
    shares: createShares({
      capacities: computeCapacities(loadConfig({})),
      maxBodyBytes: MAX_PDF_BODY_BYTES,
      now: () => 0,
    }),
    logger: pino({ level: 'silent' }),
    requestObserver: NO_OBSERVER,
    version: '0.0.0',
    tracing: NO_TRACING,
    trustProxy: false,
  });
}

describe('the table of parameters is what `npm run docs` makes of the route:', () => {
  for (const [page, operationId] of PARAMETER_TABLES) {
    it(`${page}, ${operationId}`, async () => {
      const text = loadText(page);
      assert.equal(text, replaceParameterTable(text, operationId, await formatOpenApiDoc()));
    });
  }
});
