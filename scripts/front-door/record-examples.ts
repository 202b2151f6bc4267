/** The three requests of the front door, sent to a running service. */
import { startApp } from '../../test/support/start-app.ts';
import { INVOICE } from './invoice.ts';

/** One request as the front door shows it, with its response. */
export interface RecordedExample<Body> {
  method: 'GET' | 'POST';
  path: string;
  /** The parameter that the visitor reads. */
  input: string;
  status: number;
  /** The median of equal requests, after one that fills the caches. */
  ms: number;
  body: Body;
}

/** The results of all three operations. The PDF is only in the pictures that are made from it. */
export interface RecordedExamples {
  email: RecordedExample<Record<string, unknown>>;
  metadata: RecordedExample<Record<string, unknown>>;
  pdf: RecordedExample<{ pages: number; bytes: number }>;
}

/**
 * Sends the three requests to a real service with these settings, each `runs` times after the first.
 * Returns the responses and the PDF.
 */
export async function recordExamples(
  url: string,
  settings: Record<string, string>,
  runs: number,
): Promise<{ examples: RecordedExamples; pdf: Uint8Array }> {
  await using service = await startApp(settings);
  const key = await service.createKey();
  const input = { email: 'ann@gmial.com', metadata: url, pdf: INVOICE.html };
  const send = async (path: string, init?: RequestInit) => {
    const times: number[] = [];
    for (;;) {
      const startedAt = performance.now();
      const response = await service.call(path, key, init);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!response.ok) throw new Error(`${path}: ${response.status} ${new TextDecoder().decode(bytes)}`);
      times.push(performance.now() - startedAt);
      if (times.length <= runs) continue;
      const median = times.slice(1).toSorted((a, b) => a - b)[runs >> 1] ?? 0;
      return { response, bytes, answer: { status: response.status, ms: Math.max(1, Math.round(median)) } };
    }
  };
  const parse = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const emailPath = '/v1/email/validate';
  const email = await send(`${emailPath}?email=${encodeURIComponent(input.email)}`);
  const metadata = await send(`/v1/meta?url=${encodeURIComponent(url)}`);
  const pdf = await send('/v1/pdf/generate', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(INVOICE),
  });
  const pages = Number(pdf.response.headers.get('x-pdf-pages'));
  return {
    pdf: pdf.bytes,
    examples: {
      email: {
        method: 'GET',
        path: emailPath,
        input: input.email,
        ...email.answer,
        body: parse(email.bytes),
      },
      metadata: {
        method: 'GET',
        path: '/v1/meta',
        input: url,
        ...metadata.answer,
        body: parse(metadata.bytes),
      },
      pdf: {
        method: 'POST',
        path: '/v1/pdf/generate',
        input: input.pdf,
        ...pdf.answer,
        body: { pages, bytes: pdf.bytes.length },
      },
    },
  };
}
