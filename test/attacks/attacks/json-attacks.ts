/** Row 1: bodies that are cheap to send and dear to parse. */
import { type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { pick, runLanes } from '../support/lanes.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';

const PDF_BYTES = 38_000_000;
const BATCH_BYTES = 4_000_000;
const MEMBERS = 3_000_000;

/** A body of `bytes`: `start`, then `unit` over and over, then `end`. */
export function fillBody(start: string, unit: string, end: string, bytes: number): Buffer {
  const body = Buffer.alloc(bytes, unit);
  body.write(start, 0);
  body.write(end, bytes - end.length);
  return body;
}

/** `{"html":[[[[…`: never closed, since a parser fails at the end and not before. */
export const deepHtml = (): Buffer => fillBody('{"html":[[', '[', '[', PDF_BYTES);
/** `{"html":[{},{},…]}` */
export const emptyObjects = (): Buffer => fillBody('{"html":[{', '{},', '{}]}  ', PDF_BYTES);
/** `{"a0000000":0,…}` with 3 million members. */
export const manyMembers = (): Buffer =>
  Buffer.from(`{${Array.from({ length: MEMBERS }, (_, n) => `"a${n}":0`).join(',')}}`);

interface BodyFlood {
  path: string;
  bodies: readonly Buffer[];
  keys: readonly string[];
  headers?: Record<string, string>;
  lanes: number;
  everyMs: number;
}

/** Posts the bodies in turn, with the keys in turn. */
export async function floodBodies(field: AttackField, flood: BodyFlood, signal: AbortSignal): Promise<void> {
  const { path, bodies, keys, headers = {}, lanes, everyMs } = flood;
  await runLanes({ count: lanes, everyMs, signal }, async (n) => {
    const body = pick(bodies, n);
    const key = keys.length > 0 ? { 'x-api-key': pick(keys, n) } : {};
    const head = postHead(path, body.length, { ...key, ...headers });
    field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
  });
}

/** Six requests at once, as one key sends them. */
const jsonAttack = (name: string, build: () => Buffer): Attack => ({
  name,
  row: '1 PDF body',
  accounts: [{ plan: 'free', keys: 1 }],
  maxTurnMs: 50,
  run: (field, signal) =>
    floodBodies(
      field,
      { path: '/v1/pdf/generate', bodies: [build()], keys: firstKeys(field), lanes: 6, everyMs: 1000 },
      signal,
    ),
});

const batchAttack = (
  name: string,
  build: () => Buffer,
  plan: 'free' | 'business',
  lanes: number,
): Attack => ({
  name,
  row: '1 batch body',
  accounts: [{ plan, keys: 4 }],
  maxTurnMs: 20,
  run: (field, signal) =>
    floodBodies(
      field,
      {
        path: '/v1/email/validate/batch',
        bodies: [build()],
        keys: firstKeys(field),
        lanes,
        everyMs: 250,
      },
      signal,
    ),
});

export const batchManyMembers = (): Buffer => {
  const members = Array.from({ length: 400_000 }, (_, n) => `"${n.toString(36)}":0`).join(',');
  return Buffer.from(`{${members}}`.slice(0, BATCH_BYTES));
};
export const batchDeep = (): Buffer => fillBody('{"emails":[', '[', '[', BATCH_BYTES);
export const batchIdn = (): Buffer => {
  const emails = Array.from({ length: 1000 }, (_, n) => `ann@bücher-straße-${n}.例え${n}.com`);
  return Buffer.from(JSON.stringify({ emails, check_mx: false }));
};

export const JSON_ATTACKS: readonly Attack[] = [
  jsonAttack('pdf_body_nested_38_mb', deepHtml),
  jsonAttack('pdf_body_empty_objects_38_mb', emptyObjects),
  jsonAttack('pdf_body_3_million_members', manyMembers),
  batchAttack('batch_400_000_members', batchManyMembers, 'free', 6),
  batchAttack('batch_nested_4_mb', batchDeep, 'free', 6),
  batchAttack('batch_1000_idn_addresses', batchIdn, 'business', 2),
];
