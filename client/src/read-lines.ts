import { ConnectionError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { parseObject, unexpectedResponse } from './response.ts';

/** The results of the service have at most a fraction of it. */
export const MAX_RESULT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads the values of a response with one JSON value per line (NDJSON). Blank lines are skipped. Throws
 * ConnectionError if the last line is not whole, and `unexpected_response` for a line that is not JSON.
 */
export async function* readLines(exchange: Exchange): AsyncGenerator<object, void> {
  const { response } = exchange;
  if (!/ndjson/i.test(response.headers.get('content-type') ?? '')) throw unexpectedResponse(response);
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let characters = 0;
  for (let part = await exchange.read(); part; part = await exchange.read()) {
    const [first = '', ...rest] = decoder.decode(part, { stream: true }).split('\n');
    pieces.push(first);
    characters += first.length;
    for (const next of rest) {
      const line = pieces.join('');
      pieces = [next];
      characters = next.length;
      if (line.trim() !== '') yield parseObject(line) ?? fail(response);
    }
    if (characters > MAX_RESULT_CHARACTERS) throw unexpectedResponse(response);
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield parseObject(last) ?? fail();
}

function fail(response?: Response): never {
  throw response
    ? unexpectedResponse(response)
    : new ConnectionError('The response broke off within a line.');
}
