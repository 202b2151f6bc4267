import { FEATURES } from '../../test/pdf/documents/features.ts';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { REALISTIC } from '../../test/pdf/documents/realistic.ts';
import { report } from '../../test/pdf/documents/report.ts';
import { generate, openEngine } from '../../test/pdf/support/open-engine.ts';

const FOOTER = '<b>{{page}}</b> / {{pages}}';
const CHAPTERS = 10;

/** Returns the requests of 200 documents: features and realistic ones, an invoice and a report. */
function listRequests(): Record<string, unknown>[] {
  const documents = [...Object.values(FEATURES), ...Object.values(REALISTIC), invoice(), report(CHAPTERS)];
  return [
    ...documents.map((html) => ({ html })),
    ...documents.map((html) => ({ html, tagged: true, outline: true })),
    ...Object.values(REALISTIC).map((html) => ({ html, footer_html: FOOTER })),
  ];
}

/** Renders the documents with the engine of the service. */
export async function renderDocuments(): Promise<Uint8Array[]> {
  const engine = await openEngine({ slots: 1 });
  try {
    const pdfs: Uint8Array[] = [];
    for (const request of listRequests()) pdfs.push((await generate(engine, request)).pdf);
    return pdfs;
  } finally {
    await engine.close();
  }
}
