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
import { findDocument, floodDocuments } from './document-attacks.ts';
import { floodEmails } from './email-attacks.ts';
import { askHangingHosts, hangingUrl } from './page-attacks.ts';

/** Each attacker has keys of its own, so that one does not use up the minute of another. */
export const ALL_AT_ONCE: Attack = {
  name: 'all_at_once_20_keys',
  row: 'all',
  accounts: [{ plan: 'free', keys: 20 }],
  maxTurnMs: 50,
  async run(field, signal) {
    const keys = allKeys(field);
    const pdf = { path: '/v1/pdf/generate', bodies: [deepHtml(), emptyObjects(), manyMembers()] };
    const batch = { path: '/v1/email/validate/batch', bodies: [batchDeep(), batchManyMembers()] };
    await Promise.all([
      floodBodies(field, { ...pdf, keys: keys.slice(0, 4), lanes: 4, everyMs: 1000 }, signal),
      floodBodies(field, { ...batch, keys: keys.slice(4, 6), lanes: 2, everyMs: 1000 }, signal),
      holdBodies(
        field,
        { keys: keys.slice(6, 8), count: 20, sentBytes: 37_000_000, trickleBytes: 400 },
        signal,
      ),
      holdBodies(field, { keys: keys.slice(8, 10), count: 60, sentBytes: 4000, trickleBytes: 400 }, signal),
      askHangingHosts(field, { keys: keys.slice(10, 14), everyMs: 50, url: hangingUrl(field) }, signal),
      floodDocuments(
        field,
        { document: findDocument('pdf_endless_loop'), keys: keys.slice(14, 16), lanes: 2 },
        signal,
      ),
      floodDocuments(
        field,
        { document: findDocument('pdf_waits_for_nothing'), keys: keys.slice(16, 17), lanes: 1 },
        signal,
      ),
      floodDocuments(
        field,
        { document: findDocument('pdf_console_flood'), keys: keys.slice(17, 18), lanes: 1 },
        signal,
      ),
      floodEmails(field, keys.slice(18, 20), signal),
    ]);
  },
};
