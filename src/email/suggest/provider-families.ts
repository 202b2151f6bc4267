import { allowsOnlySlips, computeLabelLimit, type Provider } from './label-limits.ts';
import { getLetterSet } from './letter-set.ts';
import { RESPELLING_COST, RESPELLINGS } from './rules.ts';
import type { Thresholds } from './thresholds.ts';

/** The domains of a provider under one label: `yahoo` with `com`, `co.uk`, `fr` …, commonest suffix first. */
export interface ProviderFamily extends Provider {
  suffixes: string[];
  /** Only a single slip is accepted in the label. */
  allowsOnlySlips: boolean;
  /** The highest cost of an error in the label. */
  labelLimit: number;
  /** See `getLetterSet`. */
  letters: number;
}

/** Parses lines of `weight label suffix…`; a `~` before the label marks a word. */
export function parseProviderFamilies(lines: Iterable<string>, thresholds: Thresholds): ProviderFamily[] {
  const families: ProviderFamily[] = [];
  for (const line of lines) {
    const [weightText, marked = '', ...suffixes] = line.split(' ');
    const isWord = marked.startsWith('~');
    const label = isWord ? marked.slice(1) : marked;
    const provider: Provider = { label, weight: Number(weightText), isWord };
    families.push({
      ...provider,
      suffixes,
      allowsOnlySlips: allowsOnlySlips(provider, thresholds),
      labelLimit: computeLabelLimit(provider, thresholds),
      letters: getLetterSet(label),
    });
  }
  return families;
}

/** A spelling of a label by ear, and its cost in hundredths of an edit. */
export interface Respelling {
  label: string;
  cost: number;
}

/** Lists the spellings of a label by ear. */
export function listRespellings(label: string): Respelling[] {
  return RESPELLINGS.filter(([meant]) => meant.test(label)).map(([meant, typed]) => ({
    label: label.replace(meant, typed),
    cost: RESPELLING_COST,
  }));
}
