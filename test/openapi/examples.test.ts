/** The examples of the OpenAPI document: complete, valid by their schemas, and what the service does. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import { type ExampleSite, openExampleSite } from './example-site.ts';
import { type DescribedOperation, type Example, type MediaType, openDocument } from './open-document.ts';

/** A part of the document that has examples. */
type Checked = Pick<MediaType, 'example' | 'examples'> & { schema: object };

const ajv = new Ajv2020({ strict: false, validateFormats: false });

let operations: DescribedOperation[] = [];
before(async () => {
  operations = await openDocument();
});

describe('the OpenAPI document has an example that is valid by its schema', () => {
  /** Returns what is wrong with the examples of a part: none, or one that its schema refuses. */
  function findFaults(where: string, { schema, example, examples }: Checked): string[] {
    const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
    const validate = ajv.compile(schema);
    return values.flatMap((value) => {
      if (value === undefined) return [`${where} has no example`];
      return validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`];
    });
  }

  it('for each parameter', () => {
    const faults = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((parameter) => findFaults(`${operationId} ${parameter.name}`, parameter)),
    );
    assert.deepEqual(faults, []);
  });

  it('for each body and response', () => {
    const faults = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.entries(part?.content ?? {}).flatMap(([type, media]) =>
          findFaults(`${operationId} ${type}`, media),
        ),
      ),
    );
    assert.deepEqual(faults, []);
  });

  it('for each header', () => {
    const faults = operations.flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ headers }) =>
        Object.entries(headers).flatMap(([name, header]) => findFaults(`${operationId} ${name}`, header)),
      ),
    );
    assert.deepEqual(faults, []);
  });

  it('for each member of a body', () => {
    for (const { operationId, requestBody } of operations)
      for (const [name, member] of Object.entries(
        requestBody?.content['application/json']?.schema.properties ?? {},
      )) {
        const examples = { value: { value: member.examples?.[0] } };
        assert.deepEqual(findFaults(`${operationId} ${name}`, { schema: member, examples }), []);
      }
  });

  it('and no request example has an empty text, as for a field that is left out', () => {
    for (const { operationId, requestBody } of operations)
      for (const { value } of Object.values(requestBody?.content['application/json']?.examples ?? {}))
        for (const [name, member] of Object.entries(value as object))
          assert.notEqual(member, '', `${operationId} ${name}`);
  });
});

describe('the service sends what the example shows:', () => {
  let site: ExampleSite;
  let service: TestApp;
  let key: string;
  before(async () => {
    site = await openExampleSite();
    service = await startApp({ ...WITH_BROWSER, ...site.settings });
    key = await service.createKey();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Sends the request of the response example `name`. */
  function send(operation: DescribedOperation, type: string, name: string, example: Example) {
    const { path, method, requestBody } = operation;
    if (method === 'GET') return service.call(path + (example.summary ?? ''), key);
    const request = requestBody?.content['application/json']?.examples?.[name];
    assert.ok(request, `${operation.operationId} has no request example ${name}`);
    return service.call(path, key, {
      method,
      headers: { 'content-type': 'application/json', accept: type },
      body: JSON.stringify(request.value),
    });
  }

  for (const id of ['validateEmail', 'validateEmailBatch', 'getMetadata', 'getMetadataBatch'])
    it(id, async (t) => {
      const operation = operations.find(({ operationId }) => operationId === id);
      if (id.startsWith('getMetadata') && !site.isPageServed)
        return t.skip('this process may not listen on port 443');
      const contents = Object.entries(operation?.responses['200']?.content ?? {});
      assert.ok(operation && contents.length > 0);
      for (const [type, { examples = {} }] of contents)
        for (const [name, example] of Object.entries(examples)) {
          const response = await send(operation, type, name, example);
          const text = await response.text();
          assert.equal(response.status, 200, text);
          assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`);
          // Sources add evidence with each update of the lists.
          const mask = (json: string): unknown =>
            JSON.parse(json.replace(/(?<="disposable_evidence":\[)[^\]]+/, '{}'));
          if (type === 'application/json')
            assert.deepEqual(mask(text), mask(JSON.stringify(example.value)), name);
          // The order of completion is that of the network.
          else assert.deepEqual(parseLines(text), parseLines(example.value as string), name);
        }
    });

  it('generatePdf, for each request example', async () => {
    const operation = operations.find(({ operationId }) => operationId === 'generatePdf');
    const examples = Object.entries(operation?.requestBody?.content['application/json']?.examples ?? {});
    const starts = operation?.responses['200']?.content['application/pdf']?.examples ?? {};
    assert.ok(operation && examples.length > 0 && Object.keys(starts).length > 0);
    for (const [name, example] of examples) {
      const response = await send(operation, 'application/pdf', name, example);
      const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
      assert.equal(response.status, 200, pdf);
      assert.ok(pdf.startsWith((starts[name]?.value as string | undefined) ?? '%PDF-'), name);
      assert.equal(response.headers.get('x-pdf-warnings'), '0', name);
    }
  });
});

function parseLines(text: string): unknown[] {
  const lines = text.trimEnd().split('\n');
  return lines.toSorted().map((line) => JSON.parse(line) as unknown);
}
