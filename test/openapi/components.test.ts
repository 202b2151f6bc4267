/** The OpenAPI document suits every generator: named schemas, and no unions to guess at. */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { shareComponents } from '../../src/http/openapi.ts';
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';

type Json = Record<string, unknown>;

let document: { paths: Json; components: { schemas: Record<string, Json> } };
before(async () => {
  document = JSON.parse(await formatOpenApiDoc()) as typeof document;
});

/** Calls `visit` for each object in a value, with its path. */
function walk(value: unknown, path: string, visit: (object: Json, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Json, path);
  for (const [name, member] of Object.entries(value)) walk(member, `${path}/${name}`, visit);
}

it('names each schema of an object: only components have properties', () => {
  const inline: string[] = [];
  walk(document, '', ({ properties }, path) => {
    const isComponent = /^\/components\/schemas\/\w+$/.test(path);
    if (typeof properties === 'object' && !isComponent) inline.push(path);
  });
  assert.deepEqual(inline, []);
  for (const name of ['EmailResult', 'PageMetadata', 'PdfRequest', 'Error'])
    assert.ok(document.components.schemas[name], name);
});

it('has one union of schemas: a component or null, which generators lose in the component', () => {
  const unions: string[] = [];
  walk(document, '', (object, path) => {
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      if (!(keyword in object)) continue;
      const [one, other, ...more] = object[keyword] as Json[];
      const isReferenceOrNull = typeof one?.['$ref'] === 'string' && other?.['type'] === 'null';
      if (keyword !== 'anyOf' || !isReferenceOrNull || more.length > 0) unions.push(`${path}/${keyword}`);
    }
  });
  assert.deepEqual(unions, []);
  for (const [name, { type }] of Object.entries(document.components.schemas))
    assert.equal(typeof type, 'string', `${name} may be null wherever it is used`);
});

it('has one type for each value, besides null: generators stop at mixed types', () => {
  const mixed: string[] = [];
  walk(document, '', ({ type }, path) => {
    if (Array.isArray(type) && type.filter((one) => one !== 'null').length !== 1) mixed.push(path);
  });
  assert.deepEqual(mixed, []);
});

it('has no default in a member of a body: generators would require the member', () => {
  const defaults: string[] = [];
  walk(document.components.schemas, '', (object, path) => {
    if ('default' in object && path.includes('/properties/')) defaults.push(path);
  });
  assert.deepEqual(defaults, []);
});

it('describes a PDF as bytes, in the words of older generators too', () => {
  let schema: unknown;
  walk(document.paths, '', (object, path) => {
    if (path.endsWith('/content/application/pdf')) ({ schema } = object);
  });
  assert.deepEqual(schema, { type: 'string', format: 'binary', contentMediaType: 'application/pdf' });
});

it('leaves the list of error identifiers open, as the docs promise', () => {
  const { ErrorCode: code } = document.components.schemas;
  assert.ok(Array.isArray(code?.['x-extensible-enum']));
  assert.equal(code['enum'], undefined);
});

it('refuses two schemas that differ and have one name', () => {
  const describe = (type: string) => ({
    post: { responses: { 200: { content: { 'application/json': { schema: { title: 'Same', type } } } } } },
  });
  assert.doesNotThrow(() =>
    shareComponents({ paths: { '/a': describe('object'), '/b': describe('object') } }),
  );
  assert.throws(
    () => shareComponents({ paths: { '/a': describe('object'), '/b': describe('string') } }),
    /Two components of the OpenAPI document that differ have the name Same/,
  );
});
