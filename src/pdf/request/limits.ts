/**
 * The most characters (UTF-16 code units) that each text of a request may have, besides those that are
 * limited in bytes. The schema of the route states the same figures.
 */
export const MAX_CHARACTERS = {
  base_url: 4_096,
  filename: 200,
  lang: 100,
  page_ranges: 1_000,
  title: 1_000,
  wait_for: 1_000,
  wait_for_expression: 10_000,
} as const;

/** The longest time that `wait_for` may name. */
export const MAX_WAIT_MS = 10_000;
