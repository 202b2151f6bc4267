/**
 * HTML in, PDF out, in pages of the `browser` module.
 * Resources that a document requests come from an injected OpenResourceFetcher.
 */
export type {
  FetchResource,
  OpenResourceFetcher,
  Resource,
  ResourceBudget,
  ResourceFailure,
  ResourceRequest,
} from '#browser';
export { createPdfEngine } from './pdf-engine.ts';
export type { PdfCaller, PdfEngine, WithSlot } from './pdf-engine.ts';
export type { GeneratedPdf, PdfRenderOptions, RenderEnd, RenderWatch } from './pdf-job.ts';
export { warmUp } from './print/lanes.ts';
export { parsePdfRequest } from './pdf-request.ts';
export type { PdfRequest } from './pdf-request.ts';
