import { ApiError } from '#errors';

/** The size of a PDF that is composed of several prints. */
export interface PdfSizeLimit {
  /** Bytes of all documents, headers, footers and watermarks together; default 192 MiB, as of one print. */
  maxPdfBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const MAX_PDF_BYTES = 192 * MEBIBYTE;

/** Checks the bytes of all prints of one PDF. Throws `render_failed`. */
export function checkPdfSize(bytes: number, { maxPdfBytes = MAX_PDF_BYTES }: PdfSizeLimit): void {
  if (bytes <= maxPdfBytes) return;
  throw new ApiError(
    'render_failed',
    `The PDF would be larger than ${maxPdfBytes / MEBIBYTE} MiB: make its documents, headers, footers and watermark, or their images, smaller.`,
  );
}
