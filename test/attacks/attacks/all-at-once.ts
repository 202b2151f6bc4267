/** One account with 20 keys plays every attacker at once. */
import { allKeys, type Attack } from '../support/attack.ts';
import {
  batchDeep,
  batchManyMembers,
  deepHtml,
  emptyObjects,
  floodBodies,
  manyMembers,
} from './json-attacks.ts';
import { holdBodies } from './body-attacks.ts';
import { MAX_RATIO, openExpressions, references, repeatBody, spinningWorkers } from './burning-attacks.ts';
import { type DocumentName, findDocument, floodDocuments } from './document-attacks.ts';
import { floodEmails } from './email-attacks.ts';
import { askHangingHosts, hangingUrl } from './page-attacks.ts';

/** Each attacker has keys of its own, so that one does not use up the minute of another. */
export const ALL_AT_ONCE: Attack = {
  name: 'all_at_once_20_keys',
  row: 'all',
  accounts: [{ plan: 'free', keys: 20 }],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  async run(field, signal) {
    const keys = [...allKeys(field)];
    const pdf = { path: '/v1/pdf/generate', bodies: [deepHtml(), emptyObjects(), manyMembers()] };
    const batch = { path: '/v1/email/validate/batch', bodies: [batchDeep(), batchManyMembers()] };
    const take = (count: number): string[] => keys.splice(0, count);
    const documents = (name: DocumentName, count: number): Promise<void> =>
      floodDocuments(field, { document: findDocument(name), keys: take(count), lanes: count }, signal);
    const unfinished = { count: 20, sentBytes: 37_000_000, trickleBytes: 400 };
    const slow = { count: 60, sentBytes: 4000, trickleBytes: 400 };
    await Promise.all([
      floodBodies(field, { ...pdf, keys: take(3), lanes: 4, everyMs: 1000 }, signal),
      floodBodies(field, { ...batch, keys: take(1), lanes: 2, everyMs: 1000 }, signal),
      holdBodies(field, { ...unfinished, keys: take(1) }, signal),
      holdBodies(field, { ...slow, keys: take(1) }, signal),
      askHangingHosts(field, { keys: take(4), everyMs: 50, url: hangingUrl(field) }, signal),
      documents('pdf_endless_loop', 2),
      documents('pdf_waits_for_nothing', 1),
      documents('pdf_console_flood', 1),
      floodDocuments(field, { document: spinningWorkers(), keys: take(1), lanes: 3 }, signal),
      repeatBody(field, { body: references(), keys: take(2), lanes: 5 }, signal),
      repeatBody(field, { body: openExpressions(), keys: take(1), lanes: 2 }, signal),
      floodEmails(field, take(2), signal),
    ]);
  },
};
