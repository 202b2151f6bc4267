import { ConnectionError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { parseWholeNumber } from './rate-limit.ts';

/** The service makes PDFs of up to 192 MiB, and attaches up to 25 MiB. */
export const MAX_PDF_BYTES = 256 * 1024 * 1024;
const FIRST_BUFFER_BYTES = 65_536;

/** A PDF whose bytes arrive as they are read. Read them once, by `stream` or `bytes()`, or `cancel()`. */
export class Pdf {
  /** The number of pages. */
  readonly pages: number;
  /** The number of warnings: resources that were not loaded, errors of scripts and the like. */
  readonly warningCount: number;
  /** The first five warnings, in English. */
  readonly warnings: readonly string[];
  /** The size in bytes; undefined if a proxy has removed it. */
  readonly size: number | undefined;
  /** The bytes, as they arrive. */
  readonly stream: ReadableStream<Uint8Array>;

  constructor(exchange: Exchange) {
    const { headers } = exchange.response;
    this.pages = parseWholeNumber(headers.get('x-pdf-pages')) ?? 0;
    this.warningCount = parseWholeNumber(headers.get('x-pdf-warnings')) ?? 0;
    this.warnings = splitWarnings(headers.get('x-pdf-warning'));
    this.size = headers.has('content-encoding') ? undefined : parseWholeNumber(headers.get('content-length'));
    if ((this.size ?? 0) > exchange.maxBytes) exchange.refuse();
    this.stream = openStream(exchange, this.size);
  }

  /** Reads all bytes. */
  async bytes(): Promise<Uint8Array> {
    const reader = this.stream.getReader();
    // Copied as they arrive: a list of tiny parts would take many times their size.
    let bytes = new Uint8Array(FIRST_BUFFER_BYTES);
    let size = 0;
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      if (size + value.length > bytes.length) {
        const larger = new Uint8Array(2 * (size + value.length));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(value, size);
      size += value.length;
    }
    return bytes.slice(0, size);
  }

  /** Ends the transfer of a PDF that is not needed. */
  cancel(): Promise<void> {
    return this.stream.cancel();
  }
}

/** Returns the body as a stream that errors if bytes are missing, or if there are more than `maxBytes`. */
function openStream(exchange: Exchange, size: number | undefined): ReadableStream<Uint8Array> {
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await exchange.read();
        if (part) {
          received += part.length;
          if (received > exchange.maxBytes) exchange.refuse();
          controller.enqueue(part);
        } else if (size !== undefined && received !== size)
          controller.error(new ConnectionError(`The PDF broke off after ${received} of ${size} bytes.`));
        else controller.close();
      },
      cancel: () => exchange.close(),
    },
    { highWaterMark: 0 },
  );
}

/** Splits the warnings, which are sentences: Headers joins repeated ones by a comma. */
function splitWarnings(text: string | null): string[] {
  return text ? text.split(/(?<=\.), (?=[A-Z])/) : [];
}
