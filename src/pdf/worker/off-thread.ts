import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import { PageLostError } from '#browser';
import { type PreparedRequest, isLargeRequest, prepareRequest } from '../load/prepare-request.ts';
import type { ElectronicInvoice } from '../finish/finishing.ts';
import { checkInvoiceXml } from '../finish/invoice/check-invoice-xml.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { PdfJob } from '../pdf-job.ts';

type OffThreadLimits = Pick<PdfJob, 'worker' | 'signal'> & { deadline: { readonly remainingMs: number } };

/**
 * Prepares a request: a small one here, a large one in the worker. Throws PageLostError ('deadline'),
 * WorkerFailure and the signal's reason.
 */
export async function prepareOffThread(
  request: PdfRequest,
  limits: OffThreadLimits,
): Promise<PreparedRequest> {
  if (!isLargeRequest(request)) return prepareRequest(request);
  // Without the other documents and the files, which would be moved to the thread.
  const one = { ...request, attachments: [], invoice: null, moreDocuments: [], template: null };
  return withinDeadline(limits, (signal) => limits.worker.run('prepareRequest', one, signal));
}

/** Characters of XML that are checked on the main thread, in at most 6 ms. */
const MAX_INLINE_XML = 64 * 1024;

/**
 * Checks the XML of an invoice: a short one here, a long one in the worker. Returns it with its guideline.
 * Throws ApiError `invalid_parameter`, and as prepareOffThread does.
 */
export async function checkInvoiceOffThread(
  invoice: ElectronicInvoice | null,
  limits: OffThreadLimits,
): Promise<ElectronicInvoice | null> {
  if (invoice === null) return null;
  const { xml, profile } = invoice;
  if (xml.length <= MAX_INLINE_XML) return { ...invoice, guideline: checkInvoiceXml(xml, profile) };
  const checked = await withinDeadline(limits, (signal) =>
    limits.worker.run('checkInvoice', invoice, signal),
  );
  if ('guideline' in checked) return { ...invoice, ...checked };
  throw new ApiError('invalid_parameter', checked.fault, { param: 'facturx.xml' });
}

/** Aborts work at the deadline with PageLostError, or when `signal` aborts. */
export async function withinDeadline<T>(
  { deadline: { remainingMs }, signal }: Omit<OffThreadLimits, 'worker'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const deadline = openDeadline(remainingMs, signal, () => new PageLostError('deadline'));
  try {
    return await work(deadline.signal);
  } finally {
    deadline.close();
  }
}

const MEBIBYTE = 1024 * 1024;
const MAX_PDF_BYTES = 192 * MEBIBYTE;

/** Checks the bytes of all prints of one PDF. Throws `render_failed`. */
export function checkPdfSize(
  bytes: number,
  { maxPdfBytes = MAX_PDF_BYTES }: Pick<PdfJob, 'maxPdfBytes'>,
): void {
  if (bytes <= maxPdfBytes) return;
  throw new ApiError(
    'render_failed',
    `The PDF would be larger than ${maxPdfBytes / MEBIBYTE} MiB: make its documents, headers, footers and watermark, or their images, smaller.`,
  );
}
