/** A request that took too long, as the log of an account shows it. */
export const LOGGED_TIMEOUT = {
  operation: 'getMetadata',
  status: 408,
  key_id: 'key_1',
  error: 'timeout',
  param: null,
  method: 'GET',
  path: '/v1/meta',
  timeout_ms: 10_000,
  units: 1,
  limit_per_minute: 600,
  limit_remaining: 512,
  failed_items: null,
  phases: [
    { phase: 'dns' as const, ms: 12 },
    { phase: 'connect' as const, ms: 88 },
    { phase: 'first_byte' as const, ms: 9_900 },
  ],
};
