import { ApiError } from '#errors';
import type { PdfJob } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { withinDeadline } from '../worker/off-thread.ts';
import type { FilledText, TemplateText } from './fill-texts.ts';

const NOTHING: FilledText = { html: '', bytes: 0 };

/**
 * Fills the texts of a request that are templates with its data, and sets the deadline of the documents. A
 * request without a template is returned as it is. Throws ApiError, PageLostError ('deadline'), WorkerFailure
 * and the signal's reason.
 */
export async function fillTemplates<T extends PdfRequest>(
  request: T,
  job: Pick<PdfJob, 'templateThreads' | 'now' | 'signal' | 'deadline' | 'watch'>,
): Promise<T> {
  if (request.template === null) return request;
  const texts: TemplateText[] = [];
  mapTexts(request, (text) => {
    texts.push(text);
    return NOTHING;
  });
  const fillJob = {
    texts,
    data: request.template.data,
    now: request.now ?? job.now(),
    zone: request.timezone,
  };
  const outcome = await withinDeadline(job, (signal) => job.templateThreads.run(fillJob, signal));
  if ('fault' in outcome) {
    const { code, message, param } = outcome.fault;
    throw new ApiError(code, message, { param });
  }
  const next = outcome.texts.values();
  const filled = mapTexts(request, () => next.next().value ?? NOTHING);
  job.deadline.set(filled);
  job.watch?.onDeadline(job.deadline.limitMs);
  return filled;
}

/** Maps the texts that are templates, in their order. `css` is none: its braces are its own. */
function mapTexts<T extends PdfRequest>(request: T, map: (text: TemplateText) => FilledText): T {
  const mapDocument = <D extends { html: string }>(document: D, param: string): D => {
    const { html, bytes } = map({ kind: 'document', param, source: document.html });
    return { ...document, html, htmlBytes: bytes };
  };
  const mapText = (source: string | null, param: string, kind: TemplateText['kind'] = 'header') =>
    source === null ? null : map({ kind, param, source }).html;
  const { moreDocuments, watermark } = request;
  return {
    ...mapDocument(request, 'html'),
    moreDocuments: moreDocuments.map((one, index) => mapDocument(one, `more_documents[${index}].html`)),
    headerHtml: mapText(request.headerHtml, 'header_html'),
    footerHtml: mapText(request.footerHtml, 'footer_html'),
    firstHeaderHtml: mapText(request.firstHeaderHtml, 'first_header_html'),
    firstFooterHtml: mapText(request.firstFooterHtml, 'first_footer_html'),
    watermark: watermark && {
      ...watermark,
      html: mapText(watermark.html, 'watermark_html', 'watermark') ?? '',
    },
    template: null,
  };
}
