import { ConnectionError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { parseObject, unexpectedResponse } from './response.ts';

/** The results of the service have at most a fraction of it. */
export const MAX_RESULT_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Reads the values of a response with one JSON value per line (NDJSON). Blank lines are skipped. Throws
 * ConnectionError if the last line is not whole, and `unexpected_response` for a line that is not JSON or is
 * longer than `maxBytes`, with the blank ones before it.
 */
export async function* readLines(exchange: Exchange): AsyncGenerator<object, void> {
  const { response } = exchange;
  if (!/ndjson/i.test(response.headers.get('content-type') ?? '')) throw unexpectedResponse(response);
  const decoder = new TextDecoder();
  let line = '';
  let bytes = 0;
  const add = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes > exchange.maxBytes) exchange.refuse();
    line += decoder.decode(piece, { stream: true });
  };
  for (let part = await exchange.read(); part; part = await exchange.read()) {
    let start = 0;
    for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, start)) {
      add(part.subarray(start, end + 1));
      start = end + 1;
      if (line.trim() !== '') {
        yield parseObject(line) ?? fail(response);
        bytes = 0;
      }
      line = '';
    }
    add(part.subarray(start));
  }
  if (line.trim() !== '') yield parseObject(line) ?? fail();
}

function fail(response?: Response): never {
  throw response
    ? unexpectedResponse(response)
    : new ConnectionError('The response broke off within a line.');
}
