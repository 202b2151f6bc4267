/** The screen of a headless Chromium's page while it loads a document that will be printed. */
export const VIEWPORT = { width: 800, height: 600 };
/** The font size that `em` refers to outside of style rules. */
export const INITIAL_EM = 16;

/** Media queries with more than types, lengths of the viewport and the FIXED_FEATURES are not known. */
const QUERY = /^(?:(?:only )?(?<type>[a-z]+)(?: and (?=\()|$))?(?<condition>\(.*\))?$/;
const FEATURE =
  /^\( ?(?<limit>min|max)-(?<side>width|height) ?: ?(?<value>\d{1,6}(?:\.\d{1,6})?)(?<unit>px|em) ?\)$/;
const FIXED_FEATURE = /^\( ?(?<name>[a-z-]+) ?: ?(?<setting>[a-z]+) ?\)$/;
const FIXED_FEATURES: Record<string, boolean> = {
  'orientation:landscape': true,
  'orientation:portrait': false,
  'prefers-color-scheme:light': true,
  'prefers-color-scheme:dark': false,
};
const TYPES = new Map([
  ['all', true],
  ['print', true],
  ['screen', false],
]);
/** Text of up to 500 ASCII characters: other white space is none in CSS. */
const KNOWN = /^[\t\n\f\r -~]{0,500}$/;

/**
 * Checks whether a list of media queries (Media Queries Level 4) matches while a document for print loads.
 * Null if it has something that is not known here.
 */
export function matchMedia(text: string): boolean | null {
  if (!KNOWN.test(text)) return null;
  const list = normalizeBlanks(text).toLowerCase();
  if (list === '') return true;
  const matches = new Set(list.split(',').map((query) => matchQuery(query.trim())));
  return matches.has(null) ? null : matches.has(true);
}

function matchQuery(query: string): boolean | null {
  const { type, condition } = QUERY.exec(query)?.groups ?? {};
  if (type === undefined && condition === undefined) return null;
  const ofType = type === undefined ? true : (TYPES.get(type) ?? null);
  const ofCondition = condition === undefined ? true : matchCondition(condition);
  return ofType === null || ofCondition === null ? null : ofType && ofCondition;
}

/**
 * Replaces each run of blanks with one: a pattern that matches runs next to other text would take quadratic
 * time.
 */
export function normalizeBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Checks whether a media condition, normalized and in lower case, matches. Null if it has something that is
 * not known here.
 */
export function matchCondition(condition: string): boolean | null {
  const matches = new Set(condition.split(' and ').map(matchFeature));
  return matches.has(null) ? null : !matches.has(false);
}

function matchFeature(feature: string): boolean | null {
  const { limit, side, value, unit } = FEATURE.exec(feature)?.groups ?? {};
  if (value === undefined) return matchFixedFeature(feature);
  const wanted = Number(value) * (unit === 'em' ? INITIAL_EM : 1);
  const actual = side === 'width' ? VIEWPORT.width : VIEWPORT.height;
  return limit === 'min' ? actual >= wanted : actual <= wanted;
}

function matchFixedFeature(feature: string): boolean | null {
  const { name, setting } = FIXED_FEATURE.exec(feature)?.groups ?? {};
  return FIXED_FEATURES[`${name}:${setting}`] ?? null;
}
