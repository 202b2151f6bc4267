/** A call as code in the languages of the dashboard. */
import type { CodeTab } from '../../components/code-well.tsx';
import { type Call, formatSnippet } from '../../components/snippets.ts';
import { formatTypeScript } from '../../components/snippets-typescript.ts';

/** Returns the code by language, for this server. It reads the key from the environment. */
export function listSnippets(call: Call): CodeTab[] {
  const { origin } = window.location;
  return [
    { value: 'curl', label: 'curl', code: formatSnippet('curl', call, origin) },
    { value: 'typescript', label: 'TypeScript', code: formatTypeScript(call, origin) },
    { value: 'python', label: 'Python', code: formatSnippet('python', call, origin) },
  ];
}
