import type { BodyFormat } from '../json/body-format.ts';
import { SMALL_BODY_BYTES } from '../json/body-memory.ts';

const VALUES = { depth: 16, values: 2_000 };

/** The body of a request under /account: small and nearly flat. Its members are checked by the route's schema. */
export const ACCOUNT_BODY: BodyFormat<Record<string, unknown>> = {
  name: 'account',
  maxBytes: SMALL_BODY_BYTES,
  limits: { members: 1_000, byMember: {}, others: VALUES, notObject: 'invalid_json' },
  parse: (members) => members,
  measure: () => SMALL_BODY_BYTES,
};
