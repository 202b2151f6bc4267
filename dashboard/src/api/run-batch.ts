/** Runs a batch under one of the account's keys, and yields its lines as they arrive. */
import { formatQuery, parseError, RequestError, send } from './request.ts';

/** The response of a batch: the state of the limit, then one line for each item, in order. */
export interface Batch<Line> {
  limit: number;
  remaining: number;
  /** Until all of the limit is free again. */
  resetSeconds: number;
  lines: AsyncIterable<Line>;
}

/** Starts a batch. Throws RequestError if the service refuses it, or when the connection is lost. */
export async function runBatch<Line>(
  operation: 'validateEmailBatch' | 'getMetadataBatch',
  keyId: string,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Batch<Line>> {
  const response = await send('POST', `/account/try/${operation}${formatQuery({ key_id: keyId })}`, {
    body,
    headers: { accept: 'application/x-ndjson, application/json;q=0.5' },
    signal,
  });
  if (!response.ok || response.body === null) throw await parseError(response);
  const { headers } = response;
  return {
    limit: Number(headers.get('x-ratelimit-limit') ?? 1),
    remaining: Number(headers.get('x-ratelimit-remaining') ?? 0),
    resetSeconds: Number(/t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? 60),
    lines: readLines<Line>(response.body),
  };
}

async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
      if (done) return;
    }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new RequestError('The connection was lost during the response.', { status: 0, code: 'offline' });
  } finally {
    reader.cancel().catch(() => {});
  }
}
