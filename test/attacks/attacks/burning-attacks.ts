/** Issue 37: what one account may burn: CPU of renders, and of what is done to a body before a render. */
import { type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { pick, runLanes } from '../support/lanes.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';
import { floodDocuments } from './document-attacks.ts';
import { fillBody } from './json-attacks.ts';

const WORKERS = 64;
const FILL_BYTES = 4_500_000;
export const MAX_RATIO = 5;

/** A page whose workers never end. */
export const spinningWorkers = (): object => ({
  html: `<script>
const spin = URL.createObjectURL(new Blob(['for(;;);']));
for (let n = 0; n < ${WORKERS}; n += 1) new Worker(spin);
</script>`,
});

/** An invoice of character references, each of which the XML parser has to replace. */
export const references = (): Buffer =>
  fillBody('{"html":"x","facturx":{"profile":"MINIMUM","xml":"<a>', '&#65;', '</a>"}}', FILL_BYTES);

/** A template of expressions that never end. */
export const openExpressions = (): Buffer =>
  fillBody('{"template":"liquid","html":"', '{{ ', '"}', FILL_BYTES);

/** Sends a body again as soon as it is answered. */
export async function repeatBody(
  field: AttackField,
  { body, keys, lanes }: { body: Buffer; keys: readonly string[]; lanes: number },
  signal: AbortSignal,
): Promise<void> {
  await runLanes({ count: lanes, everyMs: 100, signal }, async (n) => {
    const head = postHead('/v1/pdf/generate', body.length, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
  });
}

const workers = (name: string, lanes: number): Attack => ({
  name,
  row: '37 CPU',
  accounts: [{ plan: 'free', keys: 1 }],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  run: (field, signal) =>
    floodDocuments(field, { document: spinningWorkers(), keys: firstKeys(field), lanes }, signal),
});

/** Each body costs much more to check than to send; the keys of one account share it. */
const bodies = (name: string, build: () => Buffer): Attack => ({
  name,
  row: '37 queues',
  accounts: [{ plan: 'free', keys: 5 }],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  run: (field, signal) => repeatBody(field, { body: build(), keys: firstKeys(field), lanes: 5 }, signal),
});

export const BURNING_ATTACKS: readonly Attack[] = [
  workers('pdf_64_workers', 1),
  workers('pdf_64_workers_3_in_flight', 3),
  bodies('facturx_character_references', references),
  bodies('template_open_expressions', openExpressions),
];
