/**
 * The thresholds of suggestions. Costs are in hundredths of an edit, weights as in `Provider`, lengths in
 * characters.
 */
export const THRESHOLDS = {
  /** The highest cost of an error in a label of so many letters: `yaho`, `verizzon`. */
  labelOf5: 95,
  labelOf6: 120,
  labelOf7: 130,
  labelOf8: 160,
  labelOf9: 165,
  labelOf10: 180,
  /** Added to it for a provider from this weight on, and subtracted for one below. */
  bonusFromWeight1000: 35,
  bonusFromWeight300: 25,
  bonusFromWeight100: 20,
  penaltyBelowWeight20: 30,
  penaltyBelowWeight8: 70,
  /** The highest cost in a label of which only a slip is accepted, and in a popular word: `irange.fr`. */
  slipLimit: 80,
  popularWordLimit: 90,
  /** Added to the limits if the suffix does not exist, because such a domain cannot be meant: `cmail.con`. */
  nonexistentSuffixBonus: 30,
  /** Added to the limits if the domain refuses mail by DNS, because it is more likely to be mistyped. */
  noMailSlack: 10,
  /** Up to this cost a label is certain enough to correct a suffix that exists. */
  certainLabelCost: 70,
  /** A suffix is not corrected at a higher cost; the second applies if the label has an error too. */
  maxSuffixCost: 180,
  maxSuffixCostWithLabelError: 130,
  /** Two candidates whose costs differ by less are ambiguous: neither is suggested. */
  clearMargin: 12,
  /** The worth of a tenfold share of all addresses: the larger of two providers is the likelier one. */
  tenfoldWeightCost: 12,
  /** The highest cost of an error in a common top-level domain: `acme.nte`. */
  maxTopLevelCost: 100,
  /** The highest cost of an error in the first label of a nonexistent suffix of two: `gmail.comm.xx`. */
  maxSuffixHeadCost: 100,

  /** A label under which only a slip is accepted, because other names are near. */
  slipOnlyWordLength: 5,
  slipOnlyWordWeight: 40,
  slipOnlyLength: 4,
  slipOnlyOf5Weight: 20,
  slipOnlyOf7Weight: 8,
  /** The least weight of a provider whose slip is accepted: `ggmx.de`, `gxm.de`. */
  slipDoubledOf3: 12,
  slipSwappedOf3: 20,
  slipPairMissing: 10,
  slipPairMissingInWord: 40,
  slipSwappedOf4UnderCom: 40,
  slipOf4Or5: 10,
  slipOf6: 3,

  /** The least weight of a provider for which a suffix that exists is corrected: the domain may be in use. */
  suffixNearNetOfWord: 20,
  suffixNearComOfWord: 60,
  suffixOfShortLabel: 100,
  suffixUk: 100,
  suffixNearNetOrCom: 3,
  suffixOfLongExactLabel: 5,
  suffixOfLongOrExactLabel: 20,
  suffixOther: 100,
  /** A label of this length is hardly used by others. */
  longLabelLength: 8,
  /** The weight and length of a famous label, so that `.org` and the like were typed for `.com`. */
  famousWeight: 250,
  famousLength: 5,
  /** The least weight of a provider whose only suffix is meant by a country's: `gmail.fr`. */
  soleSuffixWeight: 400,
  /** The least weight if the typed suffix does not exist, and the most characters of that: `gmail.qqqq`. */
  soleSuffixWeightIfNonexistent: 20,
  maxBrokenSuffixLength: 6,

  /** Labels up to this length are not protected by a real domain under `.com`. */
  maxUnprotectedLength: 3,
  /** The least weight and length of a label that is a provider without its suffix: `gmail`. */
  bareLabelWeight: 20,
  bareLabelLength: 3,
  /** The least length of a name whose dot is misplaced: `hotmailc.om`. */
  undottedLength: 6,
  /** The same if its top-level domain does not exist, and the least weight: `webde`. */
  dotlessLength: 5,
  dotlessWeight: 4,
  /** Less popular providers have no spellings by ear and no names without a dot. */
  popularWeight: 20,
  /** Shorter labels are not recognized by ear. */
  respelledLength: 5,
} as const;

/** A value for each threshold. */
export type Thresholds = Readonly<Record<keyof typeof THRESHOLDS, number>>;
