/** Every attack, in the order of the report's rows. */
import type { Attack } from '../support/attack.ts';
import { ALL_AT_ONCE } from './all-at-once.ts';
import { BODY_ATTACKS } from './body-attacks.ts';
import { BURNING_ATTACKS } from './burning-attacks.ts';
import { DOCUMENT_ATTACKS } from './document-attacks.ts';
import { EMAIL_ATTACKS } from './email-attacks.ts';
import { JSON_ATTACKS } from './json-attacks.ts';
import { LARGE_DOCUMENT } from './large-document.ts';
import { PAGE_ATTACKS } from './page-attacks.ts';
import { STRANGER_ATTACKS } from './stranger-attacks.ts';
import { TRY_ATTACKS } from './try-attacks.ts';

export { ALL_AT_ONCE };

/** Sends nothing: for calls that come before anything is measured. */
export const NO_ATTACK: Attack = {
  name: 'no_attack',
  row: '',
  accounts: [],
  maxTurnMs: 50,
  run: async () => {},
};

/** One at a time; ALL_AT_ONCE is not among them. */
export const ATTACKS: readonly Attack[] = [
  ...JSON_ATTACKS,
  ...TRY_ATTACKS,
  ...BODY_ATTACKS,
  ...DOCUMENT_ATTACKS,
  ...PAGE_ATTACKS,
  ...EMAIL_ATTACKS,
  LARGE_DOCUMENT,
  ...BURNING_ATTACKS,
  ...STRANGER_ATTACKS,
];

/** Throws if there is no attack of this name. */
export function findAttack(name: string): Attack {
  const attack = [...ATTACKS, ALL_AT_ONCE, NO_ATTACK].find((one) => one.name === name);
  if (!attack) throw new Error(`There is no attack ${name}.`);
  return attack;
}
