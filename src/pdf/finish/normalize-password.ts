/**
 * Characters that SASLprep (RFC 4013) removes, replaces by a blank or forbids: readers that skip it would ask
 * for another password than readers that do not.
 */
const AMBIGUOUS =
  /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Cf}\uFFFC\uFFFD\u2FF0-\u2FFB]|(?! )\p{Zs}/u;
const RIGHT_TO_LEFT =
  '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}';
const HAS_RIGHT_TO_LEFT = new RegExp(`[${RIGHT_TO_LEFT}]`, 'u');
/** SASLprep forbids a right-to-left text with other letters, or that does not begin and end with its own. */
const IS_RIGHT_TO_LEFT = new RegExp(
  `^[${RIGHT_TO_LEFT}](?:(?:(?!\\p{L})[^]|[${RIGHT_TO_LEFT}])*[${RIGHT_TO_LEFT}])?\\p{M}*$`,
  'u',
);

/**
 * Normalizes a password as PDF readers do (ISO 32000-2 §7.6.4.3.3). Returns null for a password that some
 * readers would change, so that it would not open its PDF in all of them.
 */
export function normalizePassword(password: string): string | null {
  const normalized = password.normalize('NFC');
  const isStable = normalized === password.normalize('NFKC') && !AMBIGUOUS.test(normalized);
  const isDirected = !HAS_RIGHT_TO_LEFT.test(normalized) || IS_RIGHT_TO_LEFT.test(normalized);
  return isStable && isDirected ? normalized : null;
}
