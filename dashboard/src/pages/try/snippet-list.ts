/** A call as code in the languages of the dashboard. */
import type { CodeTab } from '../../components/code-well.tsx';
import { type Call, formatSnippet, SNIPPET_LANGUAGES } from '../../components/snippets.ts';

/** Returns the code by language, for this server. It reads the key from the environment. */
export function listSnippets(call: Call): CodeTab[] {
  return SNIPPET_LANGUAGES.map(({ value, label }) => ({
    value,
    label,
    code: formatSnippet(value, call, window.location.origin),
  }));
}
