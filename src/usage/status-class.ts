/** `429` is separate from the other 4xx: requests refused by the rate limit do not count against it. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '429' | '5xx';

/** Returns the class of a status. */
export function toStatusClass(status: number): StatusClass {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

/** Returns whether a class is one of errors. */
export function isFailed(statusClass: StatusClass): boolean {
  return statusClass !== '2xx' && statusClass !== '3xx';
}
