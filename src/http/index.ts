/**
 * The HTTP surface: one Fastify server with the hooks in the contract's order and one file for each
 * operation. Never does an operation's work itself, and alone names Fastify.
 */
export { createConnectionEnder } from './wire/end-connections.ts';
export { MAX_PDF_BODY_BYTES } from './v1/pdf-body.ts';
export { createServer } from './server.ts';
export type { ServerDeps } from './server.ts';
export type { PartState } from './health.ts';
