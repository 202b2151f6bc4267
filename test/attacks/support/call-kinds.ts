/** The calls of the well-behaved caller, and their rates. */
export const KINDS = ['health', 'email', 'lookup', 'metadata', 'pdf', 'largePdf'] as const;
export type Kind = (typeof KINDS)[number];

/** The calls of one kind. */
export interface CallPlan {
  perSecond: number;
  maxInFlight: number;
  /** A call without a response by then has failed. */
  patienceMs: number;
  method: 'GET' | 'POST';
  path: (place: CallerPlace, n: number) => string;
  body?: string;
  /** Found in the body of every good response. */
  marker: string;
}

export const CALL_PLANS: Record<Kind, CallPlan> = {
  health: {
    perSecond: 4,
    maxInFlight: 20,
    patienceMs: 5000,
    method: 'GET',
    path: () => '/healthz',
    marker: '"ok"',
  },
  // The domain is in the DNS cache.
  email: {
    perSecond: 40,
    maxInFlight: 100,
    patienceMs: 5000,
    method: 'GET',
    path: (_, n) => `/v1/email/validate?email=ann${n}@good-mail.com`,
    marker: '"mx_found":true',
  },
  // The domain is not: every call waits for DNS.
  lookup: {
    perSecond: 5,
    maxInFlight: 50,
    patienceMs: 5000,
    method: 'GET',
    path: (_, n) => `/v1/email/validate?email=ann@d${n}-${process.pid}.fresh-mail.com`,
    marker: '"mx_found":true',
  },
  metadata: {
    perSecond: 20,
    maxInFlight: 50,
    patienceMs: 5000,
    method: 'GET',
    path: ({ sitePort }) => `/v1/meta?url=http://popular.test-zone.com:${sitePort}/page`,
    marker: '"title":"A page"',
  },
  pdf: {
    perSecond: 3,
    maxInFlight: 20,
    // Less than a render's deadline: a caller that waits for an attacker's document to reach it is blocked.
    patienceMs: 8000,
    method: 'POST',
    path: () => '/v1/pdf/generate',
    body: '{"html":"<h1>Hello</h1>"}',
    marker: '%PDF-',
  },
  // A body over 64 KiB is parsed in a thread; the document is as cheap as the other.
  largePdf: {
    perSecond: 1,
    maxInFlight: 10,
    patienceMs: 8000,
    method: 'POST',
    path: () => '/v1/pdf/generate',
    body: JSON.stringify({ html: `<h1>Hello</h1><!-- ${'x'.repeat(100_000)} -->` }),
    marker: '%PDF-',
  },
};

/** The service to call, the key, and the page to fetch. */
export interface CallerPlace {
  port: number;
  key: string;
  sitePort: number;
}
