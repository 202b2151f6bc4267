/**
 * The thresholds of suggestions. Costs are in hundredths of an edit, weights as in `Provider`, lengths in
 * characters. `npm run lists -- thresholds` derives the values from the vectors and cases.
 */
export const THRESHOLDS = {
  /** The highest cost of an error in a label of this many letters: `yaho`, `verizzon`. */
  labelOf5: 90,
  labelOf6: 115,
  labelOf7: 130,
  labelOf8: 160,
  labelOf9: 165,
  labelOf10: 185,
  /** Added to it for a provider from this weight on, and subtracted for one below. */
  bonusFromWeight1000: 30,
  bonusFromWeight300: 25,
  penaltyBelowWeight20: 25,
  penaltyBelowWeight8: 65,
  /** The highest cost in a popular word: `irange.fr`. */
  popularWordLimit: 100,
  /** Added to the limits if the suffix does not exist, because such a domain cannot be meant: `cmail.con`. */
  nonexistentSuffixBonus: 30,
  /** Added to the limits if the domain refuses mail by DNS, because it is more likely to be mistyped. */
  noMailSlack: 20,
  /**
   * The highest cost at which a domain that accepts mail is corrected, and the same for a provider from a
   * weight on. A domain near a large provider is more often its misspelling than a name of its own.
   */
  maxCostOverMail: 90,
  maxCostOverMailOfLarge: 140,
  largeWeight: 30,
  /** A suffix is not corrected at a higher cost; the second applies if the label has an error too. */
  maxSuffixCost: 175,
  maxSuffixCostWithLabelError: 105,
  /** Two candidates whose costs differ by less are ambiguous: neither is suggested. */
  clearMargin: 15,
  /** The worth of a tenfold share of all addresses: the larger of two providers is the likelier one. */
  tenfoldWeightCost: 10,
  /** The highest cost of an error in a common top-level domain: `acme.nte`. */
  maxTopLevelCost: 100,

  /** A label under which only a slip is accepted, because other names are near. */
  slipOnlyWordLength: 5,
  slipOnlyWordWeight: 20,
  slipOnlyLength: 4,
  slipOnlyOf5Weight: 15,
  slipOnlyOf7Weight: 8,
  /** The least weight of a provider whose slip is accepted: `ggmx.de`, `gxm.de`. */
  slipKeyAdded: 30,
  slipDoubledOf3: 3,
  slipSwappedOf3: 6,
  slipPairMissing: 8,
  slipPairMissingInWord: 12,
  slipSwappedOf4UnderCom: 40,
  slipOf4Or5: 6,
  slipOf6: 3,

  /** The least weight of a provider for which a suffix that exists is corrected: the domain may be in use. */
  suffixNearNetOfWord: 12,
  suffixNearComOfWord: 25,
  suffixOfShortLabel: 60,
  suffixUk: 400,
  /** Of `.com`, `.net` and `.org` for a provider that has none of them: `optusnet.com`, not `tpg.com`. */
  suffixWorldwide: 15,
  suffixNearNetOrCom: 3,
  suffixOfLongExactLabel: 10,
  suffixOfLongOrExactLabel: 8,
  suffixOther: 300,
  /** A label of this length is hardly used by others. */
  longLabelLength: 6,
  /** The weight and length of a famous label, so that `.org` and the like were typed for `.com`. */
  famousWeight: 250,
  famousLength: 4,
  /** The least weight of a provider whose only suffix is meant by a country's: `gmail.fr`. */
  soleSuffixWeight: 250,
  /** The least weight if the typed suffix does not exist, and the most characters of that: `gmail.qqqq`. */
  soleSuffixWeightIfNonexistent: 10,
  maxBrokenSuffixLength: 5,

  /** Labels up to this length are not protected by a real domain under `.com`. */
  maxUnprotectedLength: 3,
  /** The least weight and length of a label that is a provider without its suffix: `gmail`. */
  bareLabelWeight: 8,
  bareLabelLength: 3,
  /** The least length of a name whose dot is misplaced: `hotmailc.om`. */
  undottedLength: 8,
  /** The same if its top-level domain does not exist: `webde`. */
  dotlessLength: 5,
  /** Less popular providers have no spellings by ear and no names without a dot. */
  popularWeight: 10,
} as const;

/** A value for each threshold. */
export type Thresholds = Readonly<Record<keyof typeof THRESHOLDS, number>>;
