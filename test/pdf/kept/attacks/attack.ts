/**
 * A document that tries to change, read or slow the next one of its key: a script, which is awaited, or the
 * body of a request.
 */
export type Attack = string | Readonly<Record<string, unknown>>;

/** Attacks by what they try. */
export type Attacks = Readonly<Record<string, Attack>>;

/** Returns the body of the request. A script that throws becomes a warning. */
export function toBody(attack: Attack): Record<string, unknown> {
  if (typeof attack !== 'string') return { ...attack };
  const run = `(async () => { ${attack} })().finally(() => { document.documentElement.className = 'left'; })`;
  const html = `<!doctype html><title>attack</title><p id=o>attack<script>${run}</script>`;
  return { html, wait_for: '.left' };
}
