/** The requests and results of the operations, with the names of their members in the API. */
import type { Operations } from './api.gen.ts';
import type { ErrorCode } from './errors.ts';

type Request<Name extends keyof Operations> = Operations[Name]['request'];

/** The result of an email validation. */
export type EmailResult = Operations['validateEmail']['result'];
/** Options of an email validation. */
export type EmailOptions = Omit<Request<'validateEmail'>, 'email'>;
/** Options of a batch of email validations. */
export type EmailBatchOptions = Omit<Request<'validateEmailBatch'>, 'emails' | 'order'>;

/** The metadata of a page. */
export type PageMetadata = Operations['getMetadata']['result'];
/** Options of a request for metadata. */
export type MetadataOptions = Omit<Request<'getMetadata'>, 'url' | 'render'> & {
  render?: Request<'getMetadataBatch'>['render'];
};
/** Options of a batch of requests for metadata. */
export type MetadataBatchOptions = Omit<Request<'getMetadataBatch'>, 'urls' | 'order'>;

/** A page of a batch. `age` is given if the result is a cached one. */
export type MetadataSuccess = PageMetadata & { index: number; age?: number; error?: undefined };
/** A URL of a batch that could not be read. */
export interface MetadataFailure {
  index: number;
  url: string;
  error: {
    /** The HTTP status that a single request would have. */
    status: number;
    error: ErrorCode;
    message: string;
    param?: string;
  };
}
/**
 * The row of a URL in a batch: its metadata, or with `error` its error. `index` is its place in the input.
 */
export type MetadataRow = MetadataSuccess | MetadataFailure;

/** A document to render. */
export type PdfRequest = Request<'generatePdf'>;
