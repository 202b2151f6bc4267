/** A list as text, or `not_modified` if the copy with the sent ETag is still current. */
export type FetchResult = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/** Fetches a list. Rejects if the complete list cannot be fetched within `maxBytes`. */
export type FetchList = (
  url: string,
  options: { etag: string | null; maxBytes: number },
  signal?: AbortSignal,
) => Promise<FetchResult>;

/** Logs an event of a list for its operator. */
export type LogLists = (level: 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
