import { ApiCall } from './api-call.ts';
import { Batch } from './batch.ts';
import { type ApiRequest, Exchange } from './exchange.ts';
import type { BatchInput } from './input-queue.ts';
import { type CallOptions, type ClientOptions, parseCallOptions, parseClientOptions } from './options.ts';
import { MAX_PDF_BYTES, Pdf } from './pdf.ts';
import { MAX_RESULT_BYTES } from './read-lines.ts';
import { type ApiResponse, describeResponse, parseObject, unexpectedResponse } from './response.ts';
import { Retries } from './retries.ts';
import type {
  EmailBatchOptions,
  EmailOptions,
  EmailResult,
  MetadataBatchOptions,
  MetadataOptions,
  MetadataRow,
  PageMetadata,
  PdfRequest,
} from './types.ts';

const JSON_TYPE = 'application/json';
/** Above the limits of the service: 30 s for a page or a document, 10 s in a queue. */
const TIMEOUT_MS = 60_000;
const EMAIL_BATCH = {
  path: '/v1/email/validate/batch',
  member: 'emails',
  maxRows: 1_000,
  timeoutMs: TIMEOUT_MS,
};
// The service works on a batch for up to 60 s, in which no row may be complete.
const METADATA_BATCH = { path: '/v1/meta/batch', member: 'urls', maxRows: 100, timeoutMs: 90_000 };

/** The reader of the response of an operation. */
interface Reading<T> {
  read: (exchange: Exchange) => T | Promise<T>;
  /** True if the body is streamed and the work is not repeated after it has failed. */
  isRender?: boolean;
}

/** A client of one service with one key. It holds no connections: those are the runtime's. */
export class UtilityApi {
  readonly #settings;

  constructor(options: ClientOptions = {}) {
    this.#settings = parseClientOptions(options);
  }

  /** Validates an address. A malformed one is a result, not an error. */
  validateEmail(email: string, options: EmailOptions = {}, call: CallOptions = {}): ApiCall<EmailResult> {
    const path = `/v1/email/validate${formatQuery({ email, ...options })}`;
    return this.#call({ path, accept: JSON_TYPE }, call, { read: readJson<EmailResult> });
  }

  /** Validates any number of addresses and yields a row for each, in their order. */
  async *validateEmailBatch(
    emails: BatchInput,
    options: EmailBatchOptions = {},
    call: CallOptions = {},
  ): AsyncGenerator<EmailResult, void> {
    const settings = parseCallOptions(call, this.#settings.call);
    yield* new Batch<EmailResult>(this.#settings, EMAIL_BATCH, settings).run(emails, options);
  }

  /** Reads the metadata of a page. */
  getMetadata(url: string, options: MetadataOptions = {}, call: CallOptions = {}): ApiCall<PageMetadata> {
    const path = `/v1/meta${formatQuery({ url, ...options })}`;
    return this.#call({ path, accept: JSON_TYPE }, call, { read: readJson<PageMetadata> });
  }

  /** Reads the metadata of any number of pages and yields a row or an error for each, in their order. */
  async *getMetadataBatch(
    urls: BatchInput,
    options: MetadataBatchOptions = {},
    call: CallOptions = {},
  ): AsyncGenerator<MetadataRow, void> {
    const settings = parseCallOptions(call, this.#settings.call);
    const batch = new Batch<MetadataRow>(this.#settings, METADATA_BATCH, settings);
    let index = 0;
    // The service counts from the start of each request.
    for await (const row of batch.run(urls, options)) yield { ...row, index: index++ };
  }

  /** Renders HTML to a PDF. Resolves when its first bytes arrive. */
  generatePdf(request: PdfRequest, call: CallOptions = {}): ApiCall<Pdf> {
    const post = { path: '/v1/pdf/generate', accept: 'application/pdf', body: JSON.stringify(request) };
    return this.#call(post, call, { read: openPdf, isRender: true });
  }

  #call<T>(request: ApiRequest, options: CallOptions, reading: Reading<T>): ApiCall<T> {
    return new ApiCall(this.#send(request, options, reading));
  }

  async #send<T>(
    request: ApiRequest,
    options: CallOptions,
    { read, isRender = false }: Reading<T>,
  ): Promise<ApiResponse<T>> {
    const settings = parseCallOptions(options, this.#settings.call);
    const retries = new Retries(settings, isRender);
    const { signal, timeoutMs = TIMEOUT_MS } = settings;
    const maxBytes = settings.maxResponseBytes ?? (isRender ? MAX_PDF_BYTES : MAX_RESULT_BYTES);
    const limits = { signal, timeoutMs, isStreamed: isRender, maxBytes, deadline: retries.deadline };
    for (;;)
      try {
        const exchange = await Exchange.open(this.#settings, request, limits);
        const data = await read(exchange);
        const facts = describeResponse(exchange.response);
        settings.onResponse?.(facts);
        return { ...facts, data };
      } catch (error) {
        await retries.wait(error);
      }
  }
}

/** Formats a query by RFC 3986: in the API, a plus sign means a plus sign. */
function formatQuery(parameters: object): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return `?${pairs.join('&')}`;
}

async function readJson<T>(exchange: Exchange): Promise<T> {
  const value = parseObject(await exchange.readText());
  if (value) return value as T;
  throw unexpectedResponse(exchange.response);
}

function openPdf(exchange: Exchange): Pdf {
  const type = exchange.response.headers.get('content-type') ?? '';
  if (/^application\/pdf\b/i.test(type)) return new Pdf(exchange);
  exchange.close();
  throw unexpectedResponse(exchange.response);
}
