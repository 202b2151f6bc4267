/** The calls of the soak: good ones of all operations, faulty ones, and those that are read slowly. */
import { randomBytes } from 'node:crypto';

export interface SoakCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: string;
  headers?: Record<string, string>;
  /** The error that it deserves; null if it is a good one. */
  error: string | null;
}

/** Calls of one kind, sent in turn by clients that wait for each response. */
export interface SoakLane {
  name: string;
  clients: number;
  pauseMs: number;
  call(n: number): SoakCall;
  /** Returns true if this is the whole text of a response with status 200. */
  isWhole(text: string): boolean;
  reading: 'at once' | 'slowly' | 'never';
}

const PDF = '/v1/pdf/generate';
const BATCH = 50;
/** More than the buffers of a connection hold. */
const ATTACHED_BYTES = 6_000_000;
/** Fills its renderer's memory, or the whole group's. */
const HUNGRY = '<script>const all = []; for (;;) all.push(new Uint8Array(4e6).fill(1));</script>';

const isPdf = (text: string): boolean => text.startsWith('%PDF-') && text.trimEnd().endsWith('%%EOF');
const hasMember =
  (name: string) =>
  (text: string): boolean =>
    text.includes(`"${name}":`) && text.endsWith('}');

const get = (path: string, error: string | null = null): SoakCall => ({ method: 'GET', path, error });
const post = (path: string, body: object | string, error: string | null = null): SoakCall => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  error,
});

/** One of each fault that a caller makes. */
const FAULTY: readonly SoakCall[] = [
  get('/v1/email/validate', 'invalid_email'),
  get('/v1/meta?url=ftp://example.com', 'invalid_url'),
  get('/v1/meta?url=http://nowhere.test-zone.com/', 'unreachable'),
  post(PDF, {}, 'missing_html'),
  post(PDF, '{"html":', 'invalid_json'),
  post(PDF, { html: 'x', page_size: 'B4' }, 'invalid_page_size'),
  post(PDF, { html: 'x', margin_top: '-1mm' }, 'invalid_parameter'),
  get('/v1/nothing', 'not_found'),
  { ...get('/v1/email/validate', 'method_not_allowed'), method: 'DELETE' },
  { ...post(PDF, 'x', 'unsupported_media_type'), headers: { 'content-type': 'text/plain' } },
  { ...get('/v1/email/validate?email=a@good-mail.com', 'unauthorized'), headers: { 'x-api-key': 'wrong' } },
];

function buildLargePdf(): SoakCall {
  const base64 = randomBytes(ATTACHED_BYTES).toString('base64');
  return post(PDF, { html: 'x', attachments: [{ name: 'noise.bin', base64 }] });
}

/** Returns the lanes. The pages are served at `sitePort`. */
export function listLanes(sitePort: number): readonly SoakLane[] {
  const large = buildLargePdf();
  const scripted = { html: '<p id="p"></p><script>p.textContent = String(6 * 7);</script>' };
  const long = { html: `<h1>Hello</h1><!-- ${'x'.repeat(100_000)} -->` };
  const emails = Array.from({ length: BATCH }, (_, n) => `ann${n}@good-mail.com`);
  const page = `/v1/meta?url=http://popular.test-zone.com:${sitePort}/page`;
  const lane = (
    name: string,
    [clients, pauseMs]: [number, number],
    call: SoakLane['call'],
    isWhole: SoakLane['isWhole'],
    reading: SoakLane['reading'] = 'at once',
  ): SoakLane => ({ name, clients, pauseMs, call, isWhole, reading });
  return [
    lane(
      'email',
      [2, 50],
      (n) => get(`/v1/email/validate?email=ann${n}@good-mail.com`),
      hasMember('mx_found'),
    ),
    lane(
      'lookup',
      [1, 200],
      (n) => get(`/v1/email/validate?email=ann@d${n}.fresh-mail.com`),
      hasMember('mx_found'),
    ),
    lane('metadata', [2, 100], () => get(page), hasMember('title')),
    lane('batch', [1, 1000], () => post('/v1/email/validate/batch', { emails }), hasMember('results')),
    lane('PDF', [1, 150], () => post(PDF, { html: '<h1>Hello</h1>' }), isPdf),
    lane('PDF, script', [1, 500], () => post(PDF, scripted), isPdf),
    lane('PDF, 100 KB', [1, 500], () => post(PDF, long), isPdf),
    lane(
      'faulty',
      [1, 100],
      (n) => FAULTY[n % FAULTY.length] as SoakCall,
      () => true,
    ),
    lane('PDF, hungry', [1, 4000], () => post(PDF, { html: HUNGRY }, 'render_failed'), isPdf),
    lane('read slowly', [1, 3000], () => large, isPdf, 'slowly'),
    lane('never read', [2, 3000], () => large, isPdf, 'never'),
  ];
}
