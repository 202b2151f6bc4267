import { APPEARANCE_ATTACKS } from './appearance.ts';
import type { Attacks } from './attack.ts';
import { CACHE_ATTACKS } from './caches.ts';
import { CLOCK_ATTACKS } from './clocks.ts';
import { ENDING_ATTACKS } from './endings.ts';
import { LOAD_ATTACKS } from './load.ts';
import { REALM_ATTACKS } from './realm.ts';
import { STORAGE_ATTACKS } from './storage.ts';

/** All attacks that are printed, by what they use. */
export const ATTACK_GROUPS: Readonly<Record<string, Attacks>> = {
  storage: STORAGE_ATTACKS,
  caches: CACHE_ATTACKS,
  realm: REALM_ATTACKS,
  clocks: CLOCK_ATTACKS,
  appearance: APPEARANCE_ATTACKS,
  endings: ENDING_ATTACKS,
  load: LOAD_ATTACKS,
};
