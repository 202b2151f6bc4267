/**
 * HTML in, PDF out, by one headless Chromium that this module starts, watches and replaces.
 * Never lets Chromium open a connection: what a document asks for arrives through an injected OpenResourceFetcher.
 */
export type {
  FetchResource,
  OpenResourceFetcher,
  Resource,
  ResourceBudget,
  ResourceRequest,
} from './fetch-resource.ts';
export { openPdfEngine } from './engine.ts';
export type { AcquireSlot, PdfCaller, PdfEngine, PdfEngineOptions, PdfEngineStatus, Slot } from './engine.ts';
export { parsePdfRequest } from './pdf-request.ts';
export type { GeneratedPdf, PdfRequest } from './pdf-request.ts';
