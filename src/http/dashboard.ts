/**
 * Serves the dashboard's files at `/`: pages with a new nonce and a strict policy, and assets that are cached
 * for a year. Files are compressed if the client accepts it. Pages are an explicit list, so that no path of
 * the API returns HTML. The data of the dashboard comes from `account/`.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The paths of the dashboard's pages. Its router (dashboard/src/router.tsx) has the same ones. */
export const DASHBOARD_PAGES = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/setup',
  '/keys',
  '/usage',
  '/requests',
  '/try',
  '/try/email',
  '/try/metadata',
  '/try/pdf',
  '/plan',
  '/audit',
  '/settings',
  '/admin',
] as const;

/** The guides beside the API reference, by the names of their files in docs/guides. */
export const GUIDES = ['getting-started', 'email', 'metadata', 'errors', 'limits', 'versioning'] as const;

/** Files whose names have no hash. */
const PLAIN_FILES = [
  'favicon.svg',
  'icon-32.png',
  'icon-512.png',
  'apple-touch-icon.png',
  'color-scheme.js',
  'robots.txt',
];

const NOT_BUILT =
  'The dashboard is not built: run "npm run setup" in the checkout, then reload. The API itself works without it.\n';

/** The address of the service in docs/guides. */
const SAMPLE_ADDRESS = 'http://127.0.0.1:3000';

const YEAR_MS = 365 * 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Adds the routes of the dashboard that was built into `folder`. If it was not built, its pages say how to
 * build it.
 */
export async function routeDashboard(app: FastifyInstance, { folder }: { folder: string }): Promise<void> {
  for (const page of DASHBOARD_PAGES) {
    app.get(page, { schema: { hide: true } }, (request, reply) =>
      sendPage(request, reply, join(folder, 'index.html')),
    );
  }
  app.get('/reference', { schema: { hide: true } }, (request, reply) =>
    // Scalar writes style attributes into its markup: only this page may have them.
    sendPage(request, reply, join(folder, 'reference.html'), ["style-src-attr 'unsafe-inline'"]),
  );
  for (const guide of GUIDES) {
    app.get(`/reference/${guide}`, { schema: { hide: true } }, (request, reply) =>
      sendPage(request, reply, join(folder, 'guides', `${guide}.html`), [], getAddress(request)),
    );
  }
  // https://w3c.github.io/webappsec-change-password-url/
  app.get('/.well-known/change-password', { schema: { hide: true } }, (_, reply) =>
    reply.redirect('/settings'),
  );
  if (!existsSync(folder)) return;
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.header('x-content-type-options', 'nosniff');
      reply.header('cross-origin-resource-policy', 'same-origin');
      reply.header('vary', 'accept-encoding');
    },
  });
  app.get('/assets/:file', { schema: { hide: true } }, (request, reply) => {
    const { file } = request.params as { file: string };
    // One plain name: no encoding, no `..`, no longer than a file name can be.
    if (!/^\w[\w.-]{0,200}$/.test(file)) return reply.callNotFound();
    return sendFile(reply, join('assets', file), YEAR_MS, true);
  });
  for (const file of PLAIN_FILES) {
    app.get(`/${file}`, { schema: { hide: true } }, (_, reply) => sendFile(reply, file, HOUR_MS, false));
  }
}

/** Paths for programs: their 404 is JSON for browsers too. */
const PROGRAM_PATH = /^\/(?:v1|account|assets|openapi\.json|healthz|readyz)(?:[/?#]|$)/;

/**
 * Sends the dashboard's not-found page if a browser navigates to a path without a route: a GET or HEAD that
 * accepts HTML. Returns null for other requests, and if the dashboard is not built.
 */
export async function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder }: { folder: string },
): Promise<FastifyReply | null> {
  const isNavigation = request.method === 'GET' || request.method === 'HEAD';
  if (!isNavigation || PROGRAM_PATH.test(request.url)) return null;
  if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return null;
  if (!existsSync(join(folder, 'index.html'))) return null;
  return sendPage(request, reply.code(404), join(folder, 'index.html'));
}

function sendFile(reply: FastifyReply, path: string, maxAge: number, immutable: boolean): FastifyReply {
  return reply.sendFile(path, { cacheControl: true, maxAge, immutable });
}

// The page is read for each request: a new build replaces it and the names of its assets while the service
// runs.
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  morePolicy: string[] = [],
  address = SAMPLE_ADDRESS,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  const html = await readFile(path, 'utf8').catch(() => null);
  setPageHeaders(request, reply, nonce, morePolicy);
  if (html === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  return reply
    .type('text/html; charset=utf-8')
    .send(html.replaceAll('CSP_NONCE', nonce).replaceAll(SAMPLE_ADDRESS, address));
}

/** Returns the address under which the reader sees the page, so that its samples run as copied. */
function getAddress({ protocol, host }: FastifyRequest): string {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol}://${host}` : SAMPLE_ADDRESS;
}

/**
 * Allows scripts from this origin, and style elements with the nonce of this response; nothing from
 * elsewhere, and no frames. Style attributes that a script sets need no permission (CSP 3, "style-src"), so
 * the policy has no 'unsafe-inline'.
 */
function setPageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  nonce: string,
  morePolicy: string[],
): void {
  reply.headers({
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      ...morePolicy,
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'cache-control': 'no-store',
  });
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
}
