import type { Thresholds } from './thresholds.ts';

/** A provider's label and how common it is. */
export interface Provider {
  label: string;
  /** Rough share of consumer addresses, in parts per 10,000. */
  weight: number;
  /** The label is an ordinary word, so other words are near. */
  isWord: boolean;
}

/** Returns true if only a single slip is accepted in the label, because other names are near. */
export function allowsOnlySlips({ label, weight, isWord }: Provider, thresholds: Thresholds): boolean {
  const { length } = label;
  if (isWord) return length <= thresholds.slipOnlyWordLength || weight < thresholds.slipOnlyWordWeight;
  if (length <= thresholds.slipOnlyLength) return true;
  if (length <= 5 && weight < thresholds.slipOnlyOf5Weight) return true;
  return length <= 7 && weight < thresholds.slipOnlyOf7Weight;
}

/**
 * Computes the highest cost of an error in the label: more if it is long, and if many people type it. A slip
 * has no limit.
 */
export function computeLabelLimit(provider: Provider, thresholds: Thresholds): number {
  if (allowsOnlySlips(provider, thresholds)) return Number.POSITIVE_INFINITY;
  if (provider.isWord) return thresholds.popularWordLimit;
  return getLengthLimit(provider.label.length, thresholds) + getPopularityBonus(provider.weight, thresholds);
}

function getLengthLimit(length: number, thresholds: Thresholds): number {
  if (length >= 10) return thresholds.labelOf10;
  const { labelOf5, labelOf6, labelOf7, labelOf8, labelOf9 } = thresholds;
  return [labelOf5, labelOf6, labelOf7, labelOf8, labelOf9][length - 5] ?? 0;
}

/** Returns what is added to the limits for a provider of this weight; negative for a small one. */
export function getPopularityBonus(weight: number, thresholds: Thresholds): number {
  if (weight >= 1000) return thresholds.bonusFromWeight1000;
  if (weight >= 300) return thresholds.bonusFromWeight300;
  if (weight >= 20) return 0;
  return weight >= 8 ? -thresholds.penaltyBelowWeight20 : -thresholds.penaltyBelowWeight8;
}
