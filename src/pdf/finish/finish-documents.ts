import { ApiError } from '#errors';
import { hasOwnHeaders } from '../layers/layer-input.ts';
import { updateMetadata } from '../pdf-file/metadata.ts';
import type { PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { resolvePageRanges } from '../print/print-pages.ts';
import type { PrintedDocument } from '../print/print-document.ts';
import { withinDeadline } from '../worker/off-thread.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { toFinishOptions, type Layer } from './finish-input.ts';

/** The parts that are joined. */
interface PrintedParts {
  printed: readonly PrintedDocument[];
  layers: readonly Layer[];
}

/**
 * Joins the printed documents and layers into the requested PDF, in a thread unless only its metadata
 * changes. Throws ApiError, also for what the PDF cannot be, and the signal's reason.
 */
export async function finishDocuments(
  request: PdfRequest,
  { printed, layers }: PrintedParts,
  job: PdfJob & { warnings: Warnings },
): Promise<{ pdf: Uint8Array; pages: number }> {
  const { title, language, tagged, outline, pageRanges } = request;
  const { author, subject, keywords, attachments, encryption, pdfa, invoice } = request;
  const count = printed.reduce((sum, { pages }) => sum + pages, 0);
  const [only, ...more] = printed;
  const isJoined = more.length > 0 || layers.length > 0 || hasOwnHeaders(request);
  const isPlain = [author, subject, encryption, pdfa, invoice].every((member) => member === null);
  if (only && !isJoined && !tagged && !outline && isPlain && keywords.length + attachments.length === 0)
    return { pdf: updateMetadata(only.pdf, { title, language }), pages: count };
  const pages = pageRanges !== null && hasOwnHeaders(request) ? resolvePageRanges(pageRanges, count) : null;
  const documents = printed.map(({ pdf }) => pdf);
  const input = { documents, layers, pages, options: toFinishOptions(request) };
  const finished = await withinDeadline(job, (signal) => job.worker.run('finishPdf', input, signal));
  if (finished.fault !== null) throw new ApiError('render_failed', finished.fault);
  for (const { kind, text } of finished.warnings) job.warnings.add(kind, text);
  return { pdf: finished.pdf, pages: pages?.length ?? count };
}
