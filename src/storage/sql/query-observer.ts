import type { LogEvent } from 'kysely';

/** Called at the end of each statement. Must not throw. */
export type OnQuery = (isOk: boolean, ms: number) => void;

/** Returns the `log` option of Kysely that calls `onQuery`; undefined, which measures nothing, without it. */
export function createQueryLog(onQuery: OnQuery | undefined): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {};
  return { log: ({ level, queryDurationMillis }) => onQuery(level === 'query', queryDurationMillis) };
}
