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

const documents = (name: string, lanes: number, document: object): Attack => ({
  name,
  row: '37 CPU',
  accounts: [{ plan: 'free', keys: 1 }],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  run: (field, signal) => floodDocuments(field, { document, keys: firstKeys(field), lanes }, signal),
});

/**
 * Documents that keep the browser's own process busy, which works for all documents. The first one of an
 * account holds up others until it is found out; the next ones get browsers of their own.
 */
const CALLS_OF_THE_BROWSER = {
  pdf_million_locks: [
    1,
    {
      html: `<script>for (let n = 0; n < 1e6; n += 1) navigator.locks.request('a' + n, () => new Promise(() => {}))</script>`,
      base_url: 'https://a.example/',
    },
  ],
  pdf_400_frames_3_in_flight: [
    3,
    {
      html: '<iframe srcdoc="<script>for (let n = 0; n < 1e5; n += 1) document.body?.append(n)</script>"></iframe>'.repeat(
        400,
      ),
    },
  ],
  pdf_100_000_requests_3_in_flight: [
    3,
    {
      html: `<script>for (let n = 0; n < 1e5; n += 1) fetch('http://a.invalid/' + n).catch(() => {})</script>`,
    },
  ],
} as const;

/** A value of CSS with a run of spaces, which took the square of its length to read. */
const SPACES = { html: `<p style="background:url(${' '.repeat(60_000)}x">`, javascript: false };

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
  documents('pdf_64_workers', 1, spinningWorkers()),
  documents('pdf_64_workers_3_in_flight', 3, spinningWorkers()),
  ...Object.entries(CALLS_OF_THE_BROWSER).map(([name, [lanes, document]]) =>
    documents(name, lanes, document),
  ),
  documents('pdf_css_spaces', 3, SPACES),
  bodies('facturx_character_references', references),
  bodies('template_open_expressions', openExpressions),
];
