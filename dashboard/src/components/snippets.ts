/**
 * Formats a call as runnable code: curl in a POSIX shell, TypeScript and Python with the clients of the
 * service. All text is quoted for its language, so that input from a form cannot end a string.
 */
import { getOperation, type Operation } from './operations.ts';
import { type Call, KEY_VARIABLE } from './snippet-call.ts';
import { formatPython } from './snippets-python.ts';
import { formatTypeScript } from './snippets-typescript.ts';

export { type Call, KEY_VARIABLE } from './snippet-call.ts';

/** The languages of the snippets. */
export type SnippetLanguage = 'curl' | 'typescript' | 'python';

/** The languages with their labels. */
export const SNIPPET_LANGUAGES: readonly { value: SnippetLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
];

/** An example of each operation. */
export const EXAMPLE_CALLS: Record<Operation, Call> = {
  validateEmail: { operation: 'validateEmail', members: { email: 'ann@gmial.com' } },
  getMetadata: { operation: 'getMetadata', members: { url: 'https://example.com/' } },
  generatePdf: {
    operation: 'generatePdf',
    members: {
      html: '<h1>Hello</h1><p>This page was HTML a moment ago.</p>',
      footer_html: 'Page {{page}} of {{pages}}',
    },
  },
};

/** The command that installs the client of a language. */
export const INSTALL_COMMANDS: Partial<Record<SnippetLanguage, string>> = {
  typescript: 'npm install utility-api-client',
  python: 'pip install utility-api-client',
};

/** Formats the call as code. */
export function formatSnippet(language: SnippetLanguage, call: Call, baseUrl: string): string {
  if (language === 'typescript') return formatTypeScript(call, baseUrl);
  if (language === 'python') return formatPython(call, baseUrl);
  const { method, path } = getOperation(call.operation);
  const address = `${baseUrl}${path}`;
  return method === 'GET' ? formatCurlGet(address, call.members) : formatCurlPost(address, call.members);
}

/** Formats the shell line that sets the environment variable. */
export function formatExportLine(secret: string): string {
  return `export ${KEY_VARIABLE}=${quoteForShell(secret)}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function formatLiteral(value: unknown): string {
  return JSON.stringify(value);
}

function formatQueryValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatCurlGet(address: string, members: Call['members']): string {
  const lines = Object.entries(members).map(([name, value]) => {
    const text = formatQueryValue(value);
    // Older versions of curl encode a space as "+", which the service parses as a plus sign (RFC 3986).
    return text.includes(' ')
      ? `--data ${quoteForShell(`${name}=${encodeURIComponent(text)}`)}`
      : `--data-urlencode ${quoteForShell(`${name}=${text}`)}`;
  });
  return [`curl --get ${quoteForShell(address)}`, `--header "x-api-key: $${KEY_VARIABLE}"`, ...lines].join(
    ' \\\n  ',
  );
}

function formatCurlPost(address: string, members: Call['members']): string {
  return [
    `curl --fail-with-body ${quoteForShell(address)}`,
    `--header "x-api-key: $${KEY_VARIABLE}"`,
    `--header 'content-type: application/json'`,
    `--data-raw ${quoteForShell(formatLiteral(members))}`,
    '--output document.pdf',
  ].join(' \\\n  ');
}
