/** Each error in the OpenAPI document is the one that the service sends: its status and its body. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { after, before, it } from 'node:test';
import type { OptionRow } from '#options';
import { parsePdfRequest, PDF_OPTIONS } from '#pdf/request';
import { refuseWarnings } from '../../src/pdf/warnings/warnings.ts';
import { formatTimeout } from '../../src/pdf/to-api-error.ts';
import { findFiles, loadText } from '../map/checkout.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { openFaultyServer, type FaultyServer } from './open-faulty-server.ts';
import { type DescribedOperation, openDocument } from './open-document.ts';

interface ErrorBody {
  error: string;
  message: string;
  param?: string;
  request_id: string;
}

const EMAIL = '/v1/email/validate';
const EMAILS = '/v1/email/validate/batch';
const PAGE = '/v1/meta';
const PAGES = '/v1/meta/batch';
const PDF = '/v1/pdf/generate';
const BODIES: Record<string, string> = {
  validateEmailBatch: '{"emails":["ann@gmail.con"]}',
  getMetadataBatch: '{"urls":["http://127.0.0.1:1/"]}',
  generatePdf: '{"html":"<h1>Hello</h1>"}',
};

let operations: DescribedOperation[] = [];
/** Without a browser. */
let service: TestApp;
/** Its pages are what the service reads. */
let other: TestApp;
let key: string;
let exhaustedKey: string;
let faulty: FaultyServer;
/** A host that accepts connections and never answers. */
const silent: Server = createTcpServer();

before(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  operations = await openDocument();
  const settings = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', PLANS: 'free=1,pro=1000,business=6000' };
  // The minute does not end during the test.
  service = await startApp(settings, { now: () => Date.UTC(2030, 0, 1, 12) });
  other = await startApp();
  key = await service.createKey();
  exhaustedKey = await service.createKey('free');
  await (await service.call(`${EMAIL}?email=ann@gmail.con`, exhaustedKey)).arrayBuffer();
  faulty = await openFaultyServer();
});

after(async () => {
  silent.close();
  await faulty[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const get = (path: string): Promise<Response> => service.call(path, key);
const post = (path: string, body: string, type = 'application/json'): Promise<Response> =>
  service.call(path, key, { method: 'POST', headers: { 'content-type': type }, body });

/** The path and the body of a call of an operation that is valid. */
function findCall({ operationId, path, method }: DescribedOperation): [path: string, init: RequestInit] {
  const body = BODIES[operationId];
  if (body === undefined)
    return [`${path}${path === EMAIL ? '?email=ann@gmail.con' : '?url=http://127.0.0.1:1/'}`, { method }];
  return [path, { method, body, headers: { 'content-type': 'application/json' } }];
}

/** Sends a valid call with a key whose only request of this minute is used up. */
const exceedLimit = (operation: DescribedOperation): Promise<Response> =>
  service.call(...insertKey(findCall(operation), exhaustedKey));

const insertKey = (
  [path, init]: [string, RequestInit],
  secret: string | null,
): [string, string | null, RequestInit] => [path, secret, init];

/** Requests that provoke the errors of every operation. */
const EVERYWHERE: Record<string, (operation: DescribedOperation) => Promise<Response>> = {
  unauthorized: (operation) => service.call(...insertKey(findCall(operation), null)),
  rate_limit_exceeded: exceedLimit,
  method_not_allowed: ({ path }) => service.call(path, key, { method: 'DELETE' }),
  unsupported_media_type: ({ path }) => post(path, 'html=Hello', 'text/plain'),
  invalid_json: ({ path }) => post(path, '{'),
  head_too_long: ({ path }) => get(`${path}?email=${'a'.repeat(20_000)}`),
  internal: (operation) => faulty.failInternally(...findCall(operation)),
  overloaded: (operation) => faulty.overload(...findCall(operation)),
  unavailable: (operation) => faulty.failDatabase(...findCall(operation)),
};

const invalid = (path: string, body: object) => () => post(path, JSON.stringify(body));

/** Requests that provoke the errors of single operations, by operation and identifier. */
const SINGLE: Record<string, () => Promise<Response>> = {
  'validateEmail invalid_email': () => get(EMAIL),
  'validateEmail invalid_parameter': () => get(`${EMAIL}?email=ann@gmail.con&check_mx=maybe`),
  'validateEmailBatch invalid_parameter': invalid(EMAILS, { emails: [] }),
  'validateEmailBatch payload_too_large': () => post(EMAILS, ' '.repeat(4 * 1024 * 1024 + 1)),
  'getMetadata invalid_url': () => get(`${PAGE}?url=ogp.me`),
  'getMetadata invalid_parameter': () => get(`${PAGE}?url=https://ogp.me/&timeout=500`),
  'getMetadata timeout': () =>
    get(`${PAGE}?timeout=1000&url=http://127.0.0.1:${(silent.address() as AddressInfo).port}/`),
  'getMetadata unreachable': () => get(`${PAGE}?url=https://nowhere.invalid/`),
  'getMetadata unavailable': () => get(`${PAGE}?url=${other.url}/&render=true`),
  'getMetadataBatch invalid_parameter': invalid(PAGES, { urls: [] }),
  'getMetadataBatch payload_too_large': () => post(PAGES, ' '.repeat(3 * 1024 * 1024 + 1)),
  'generatePdf missing_html': invalid(PDF, {}),
  'generatePdf invalid_page_size': invalid(PDF, { html: 'x', page_size: 'a4' }),
  'generatePdf invalid_parameter': invalid(PDF, { html: 'x', margin_top: '20' }),
  'generatePdf payload_too_large': invalid(PDF, { html: 'x'.repeat(5 * 1024 * 1024 + 1) }),
  'generatePdf unavailable': invalid(PDF, { html: '<h1>Hello</h1>' }),
};

/** Sends a PDF request with an option in whose use something is wrong. */
const option = (members: object) => invalid(PDF, { html: '<h1>Hello</h1>', ...members });
const MIB = 1024 * 1024;

/** Requests that provoke the errors of the options of a PDF, by the names of their examples. */
const OPTIONS: Record<string, () => Promise<Response>> = {
  ...Object.fromEntries(
    Object.entries<OptionRow>(PDF_OPTIONS)
      .filter(([, { refused }]) => refused !== undefined)
      .map(([name, { refused = {} }]) => [`invalid_parameter_${name}`, option(refused)]),
  ),
  invalid_parameter_template: option({ template: 'liquid', html: '<p>{% for row in rows %}</p>' }),
  invalid_parameter_watermark: option({ watermark_position: 'over' }),
  payload_too_large_more_documents: option({ more_documents: [{ html: 'x'.repeat(5 * MIB) }] }),
  payload_too_large_data: option({ template: 'liquid', data: { text: 'x'.repeat(MIB) } }),
  payload_too_large_watermark: option({ watermark_html: 'x'.repeat(MIB / 2 + 1) }),
  payload_too_large_attachments: option({
    attachments: [{ name: 'rows.csv', base64: 'AAAA'.repeat(7_000_000) }],
  }),
};

const SLOW_BODY = 'The body did not arrive in time: send it without pauses.';

/** Messages of errors that take seconds or a browser to provoke, from the code that sends them. */
const SLOW: Record<string, () => string> = {
  'validateEmailBatch timeout': () => findSentence('http/wire', SLOW_BODY),
  'getMetadataBatch timeout': () => findSentence('http/wire', SLOW_BODY),
  'generatePdf timeout': () =>
    formatTimeout(parsePdfRequest({ html: '<script>for (;;);</script>' }), { timeoutMs: 30_000 }),
  'generatePdf render_failed': () =>
    findSentence('pdf', 'The document closed itself: remove its call of window.close().'),
  'generatePdf render_failed_strict': () => {
    const warning = 'A link shows no page number, as its target is on no page: #outlook.';
    return catchMessage(() => refuseWarnings([warning]));
  },
};

/** Returns the message of the error that a function throws. */
function catchMessage(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing is thrown';
}

function findSentence(folder: string, sentence: string): string {
  const found = findFiles(`src/${folder}/*.ts`).some((path) => loadText(path).includes(`'${sentence}'`));
  return found ? sentence : `no file of src/${folder} has the sentence`;
}

it('each error example has the status, identifier, message and param that the service sends', async () => {
  const checks = operations.flatMap((operation) =>
    Object.entries(operation.responses)
      .filter(([status]) => status !== '200')
      .flatMap(([status, { content }]) =>
        Object.entries(content['application/json']?.examples ?? {}).map(([code, { value }]) =>
          findFault(operation, status, code, value as ErrorBody),
        ),
      ),
  );
  assert.ok(checks.length > 54);
  const faults = await Promise.all(checks);
  assert.equal(faults.filter((fault) => fault !== null).join('\n'), '');
});

/** Returns the difference between an example and what the service sends; null if there is none. */
async function findFault(
  operation: DescribedOperation,
  status: string,
  code: string,
  { request_id: _id, ...expected }: ErrorBody,
): Promise<string | null> {
  const name = `${operation.operationId} ${code}`;
  const message = SLOW[name]?.();
  const sent =
    message === undefined ? await provoke(name, operation, code) : { status, error: expected.error, message };
  const wanted = { status, ...expected };
  if (JSON.stringify(sent) === JSON.stringify(wanted)) return null;
  return `${name}: ${JSON.stringify(sent)}\n  not ${JSON.stringify(wanted)}`;
}

async function provoke(name: string, operation: DescribedOperation, code: string): Promise<object> {
  const send = SINGLE[name] ?? OPTIONS[code] ?? EVERYWHERE[code];
  if (!send) return { error: 'no request of this test provokes it' };
  const response = await send(operation);
  const { request_id: id, ...body } = (await response.json()) as ErrorBody;
  if (response.headers.get('x-request-id') !== id) return { error: 'no request_id' };
  return { status: String(response.status), ...body };
}
