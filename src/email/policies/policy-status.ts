import type { TxtFacts } from '../lookup-txt.ts';

/**
 * `invalid`: there is a record that receivers ignore, because it is malformed or one of several. `unknown`:
 * the lookup failed.
 */
export type PolicyStatus = 'found' | 'none' | 'invalid' | 'unknown';

/** Computes the status from the facts and the number of records with the right version. */
export function computeStatus(facts: TxtFacts, records: number): PolicyStatus {
  if (facts.outcome === 'unknown') return 'unknown';
  if (records === 0) return 'none';
  return records === 1 ? 'found' : 'invalid';
}
