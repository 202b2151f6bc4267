/**
 * Pages of one headless Chromium that this module finds, jails, starts, watches and replaces. It does not
 * know what a page is rendered for. The resources of a document come from an injected FetchResource.
 */
export {
  BrowserUnavailableError,
  CdpDataTooLargeError,
  CdpError,
  PageLostError,
  type LossReason,
} from './browser-errors.ts';
export type { BrowserLog } from './launch/chromium-launcher.ts';
export { findChromium, type ChromiumBinary } from './launch/find-chromium.ts';
export { finishAnimations, prepareScripts } from './documents/page-expressions.ts';
export { LiveDocument } from './documents/live-document.ts';
export { openOrigin } from './documents/load-document.ts';
export type { ScriptError } from './documents/document-start-script.ts';
export type { Page } from './pages/page.ts';
export { MAX_WORKERS } from './pages/page-workers.ts';
export { RenderSlots } from './render-slots.ts';
export type { BrowserEvent, BrowserKeeper, RenderSlotsOptions, WithSlot } from './render-slots.ts';
export { renderPage } from './render-page.ts';
export type { PageReuse } from './pages/reset-page.ts';
export { ServedRequests } from './resources/served-requests.ts';
export {
  isFailure,
  RESOURCE_FAILURES,
  type BudgetRest,
  type FailedRequest,
  type FetchResource,
  type OpenResourceFetcher,
  type Resource,
  type ResourceBudget,
  type ResourceFailure,
  type ResourceRequest,
} from './resources/fetch-resource.ts';
export { createPageRenderer } from './web-pages/page-renderer.ts';
export type { PageRenderer, PageRequest } from './web-pages/page-renderer.ts';
