/** The requests and results of the operations, with the names of their members in the API. */
import type {
  EmailBatchRequest,
  MetadataBatchError,
  MetadataBatchRequest,
  Operations,
  PageMetadata,
} from './api.gen.ts';

export type {
  EmailDetails,
  EmailResult,
  MetadataBatchError,
  PageMetadata,
  PageMetadataDetails,
  PdfAttachment,
  PdfDocument,
  PdfInvoice,
  PdfRequest,
} from './api.gen.ts';

/** Options of an email validation. */
export type EmailOptions = Omit<Operations['validateEmail']['request'], 'email'>;
/** Options of a batch of email validations. */
export type EmailBatchOptions = Omit<EmailBatchRequest, 'emails' | 'order'>;

/** Options of a request for metadata. */
export type MetadataOptions = Omit<Operations['getMetadata']['request'], 'url' | 'render'> &
  Pick<MetadataBatchRequest, 'render'>;
/** Options of a batch of requests for metadata. */
export type MetadataBatchOptions = Omit<MetadataBatchRequest, 'urls' | 'order'>;

/** A page of a batch. `age` is given if the result is a cached one. */
export type MetadataSuccess = PageMetadata & { index: number; age?: number; error?: undefined };
/** A URL of a batch that could not be read. */
export interface MetadataFailure {
  index: number;
  url: string;
  error: MetadataBatchError;
}
/** The row of a URL in a batch: its metadata, or its error. `index` is its place in the input, from 0. */
export type MetadataRow = MetadataSuccess | MetadataFailure;
