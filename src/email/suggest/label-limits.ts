/** A provider's label and how common it is. */
export interface Provider {
  label: string;
  /** Rough share of consumer addresses, in parts per 10,000. */
  weight: number;
  /** The label is an ordinary word, so other words are near. */
  isWord: boolean;
}

/** The highest cost of an error in a label, by its length (11 and over: the last). */
const LIMITS_BY_LENGTH = [0, 0, 0, 0, 0, 95, 120, 130, 160, 165, 180];
/** Added to the limit by the provider's weight: the first row whose weight is reached. */
const POPULARITY_BONUSES: readonly [minWeight: number, bonus: number][] = [
  [1000, 35],
  [300, 25],
  [100, 20],
  [20, 0],
  [8, -30],
  [0, -70],
];
/**
 * The limit for labels of which only a slip is accepted: one doubled letter, one of a pair missing, or a
 * swap.
 */
const SLIP_LIMIT = 80;
/** A word that names a popular provider also allows a missing letter, and an adjacent key struck first. */
const POPULAR_WORD_LIMIT = 90;

/** Labels of which only a slip is accepted, because other names are near: the first row that applies. */
const SLIP_ONLY_RULES: readonly { isWord: boolean; maxLength: number; belowWeight: number }[] = [
  { isWord: true, maxLength: 5, belowWeight: Infinity },
  { isWord: true, maxLength: Infinity, belowWeight: 40 },
  { isWord: false, maxLength: 4, belowWeight: Infinity },
  { isWord: false, maxLength: 5, belowWeight: 20 },
  { isWord: false, maxLength: 7, belowWeight: 8 },
];

/** Returns true if only a single slip is accepted in the label. */
export function allowsOnlySlips({ label, weight, isWord }: Provider): boolean {
  return SLIP_ONLY_RULES.some(
    (rule) => rule.isWord === isWord && label.length <= rule.maxLength && weight < rule.belowWeight,
  );
}

/** Computes the highest cost of an error in the label: more if it is long, and if many people type it. */
export function computeLabelLimit(provider: Provider): number {
  const { label, weight, isWord } = provider;
  if (allowsOnlySlips(provider)) return SLIP_LIMIT;
  if (isWord) return POPULAR_WORD_LIMIT;
  const limit = LIMITS_BY_LENGTH[Math.min(label.length, LIMITS_BY_LENGTH.length - 1)] as number;
  const bonus = POPULARITY_BONUSES.find(([minWeight]) => weight >= minWeight)?.[1] ?? 0;
  return limit + bonus;
}
