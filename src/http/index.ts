/**
 * The HTTP server: admission and routes of the operations (`v1/`), endpoints of the dashboard
 * (`dashboard-api/`), and what is below the routes (`wire/`). Does no work of an operation.
 */
export { createConnectionEnder } from './wire/end-connections.ts';
export { MAX_PDF_BODY_BYTES, MAX_PLAIN_PDF_BODY_BYTES } from './v1/pdf-body.ts';
export { createServer } from './server.ts';
export type { ServerDeps } from './server.ts';
export type { SystemHealth } from './dashboard-api/account-deps.ts';
export { createReadinessReader } from './health.ts';
export type { ReadyPart } from './health.ts';
