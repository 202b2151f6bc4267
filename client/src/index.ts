/** The client of Utility API: email validation, URL metadata, HTML to PDF. Runs on fetch and web streams. */
export { UtilityApi } from './client.ts';
export { encodeAttachment } from './attachment.ts';
export type { AttachmentContent, AttachmentMembers } from './attachment.ts';
export { ConnectionError, TimeoutError, UtilityApiError } from './errors.ts';
export type { ClientErrorCode, ErrorCode } from './errors.ts';
export type { ApiCall } from './api-call.ts';
export type { BatchInput } from './input-queue.ts';
export type { CallOptions, ClientOptions, Retry } from './options.ts';
export type { Pdf } from './pdf.ts';
export type { RateLimit } from './rate-limit.ts';
export type { ApiResponse, ResponseFacts } from './response.ts';
export type {
  EmailBatchOptions,
  EmailDetails,
  EmailOptions,
  EmailResult,
  MetadataBatchError,
  MetadataBatchOptions,
  MetadataFailure,
  MetadataOptions,
  MetadataRow,
  MetadataSuccess,
  PageMetadata,
  PageMetadataDetails,
  PdfAttachment,
  PdfDocument,
  PdfInvoice,
  PdfRequest,
} from './types.ts';
export { VERSION } from './version.gen.ts';
