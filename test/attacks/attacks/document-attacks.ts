/** Row 3: documents that hold the renderers, and row 5: the browser's death while it works. */
import { type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { killBrowsersOf } from '../support/browsers.ts';
import { pick, runLanes, waitFor } from '../support/lanes.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';

const DOCUMENTS = {
  pdf_waits_for_nothing: { html: 'x', wait_for: '#never' },
  pdf_endless_loop: { html: '<script>while(1){}</script>' },
  pdf_console_flood: { html: '<script>for(;;)console.log("x".repeat(10000))</script>' },
} as const;

export type DocumentName = keyof typeof DOCUMENTS;

/** Renders the document again and again, four at a time as in the report. */
export async function floodDocuments(
  field: AttackField,
  { document, keys, lanes = 4 }: { document: object; keys: readonly string[]; lanes?: number },
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(document));
  await runLanes({ count: lanes, everyMs: 500, signal }, async (n) => {
    const head = postHead('/v1/pdf/generate', body.length, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
  });
}

export const findDocument = (name: DocumentName): object => DOCUMENTS[name];

const KILL_EVERY_MS = 1500;

/** Kills the browser itself, not its renderers: everything that it was doing is lost. */
async function killBrowsers(field: AttackField, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await waitFor(KILL_EVERY_MS, signal);
    if (killBrowsersOf(field.servicePid) > 0) field.note('browser killed');
  }
}

const killed: Attack = {
  name: 'browser_killed',
  row: '5 browser',
  accounts: [{ plan: 'business', keys: 1 }],
  maxTurnMs: 50,
  async run(field, signal) {
    // Large documents: a message is more often half read when its sender dies.
    const document = { html: `<p>${'text '.repeat(40_000)}</p>` };
    await Promise.all([
      killBrowsers(field, signal),
      floodDocuments(field, { document, keys: firstKeys(field), lanes: 1 }, signal),
    ]);
  },
};

export const DOCUMENT_ATTACKS: readonly Attack[] = [
  ...(Object.keys(DOCUMENTS) as DocumentName[]).map((name): Attack => ({
    name,
    row: '3 PDF slots',
    accounts: [{ plan: 'free', keys: 1 }],
    maxTurnMs: 50,
    run: (field, signal) =>
      floodDocuments(field, { document: DOCUMENTS[name], keys: firstKeys(field) }, signal),
  })),
  killed,
];
