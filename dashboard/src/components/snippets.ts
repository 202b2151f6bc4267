/**
 * Formats a call as runnable code: curl in a POSIX shell, JavaScript on Node, Python 3 with its standard
 * library. All text is quoted for its language, so that input from a form cannot end a string.
 */
import { getOperation, type Operation } from './operations.ts';

/** The languages of the snippets. */
export type SnippetLanguage = 'curl' | 'javascript' | 'python';

/** The languages with their labels. */
export const SNIPPET_LANGUAGES: readonly { value: SnippetLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

/** One call: an operation and its query parameters or body members. */
export interface Call {
  operation: Operation;
  members: Record<string, unknown>;
}

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

/** The environment variable that holds the key. */
export const KEY_VARIABLE = 'UTILITY_API_KEY';

/** Formats the call as code. */
export function formatSnippet(language: SnippetLanguage, call: Call, baseUrl: string): string {
  const { method, path } = getOperation(call.operation);
  const address = `${baseUrl}${path}`;
  if (language === 'curl')
    return method === 'GET' ? formatCurlGet(address, call.members) : formatCurlPost(address, call.members);
  if (language === 'javascript') {
    return method === 'GET'
      ? formatJavaScriptGet(address, call.members)
      : formatJavaScriptPost(address, call.members);
  }
  return method === 'GET' ? formatPythonGet(address, call.members) : formatPythonPost(address, call.members);
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

function formatJavaScriptGet(address: string, members: Call['members']): string {
  const query = Object.entries(members)
    .map(([name, value], index) => {
      const start = `${index === 0 ? '?' : '&'}${name}=`;
      return typeof value === 'string'
        ? `${formatLiteral(start)} + encodeURIComponent(${formatLiteral(value)})`
        : formatLiteral(start + formatQueryValue(value));
    })
    .join(' +\n  ');
  return `const url =
  ${formatLiteral(address)} +
  ${query};
const response = await fetch(url, {
  headers: { 'x-api-key': process.env.${KEY_VARIABLE} },
});
console.log(response.status, await response.json());`;
}

function formatJavaScriptPost(address: string, members: Call['members']): string {
  return `import { writeFile } from 'node:fs/promises';

const response = await fetch(${formatLiteral(address)}, {
  method: 'POST',
  headers: {
    'x-api-key': process.env.${KEY_VARIABLE},
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indent(JSON.stringify(members, null, 2))}),
});
if (!response.ok) throw new Error(await response.text());
await writeFile('document.pdf', Buffer.from(await response.arrayBuffer()));`;
}

function formatPythonGet(address: string, members: Call['members']): string {
  const pairs = Object.entries(members).map(
    ([name, value]) => `    ${formatLiteral(name)}: ${formatLiteral(formatQueryValue(value))},`,
  );
  return `import json, os
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

query = urlencode({
${pairs.join('\n')}
}, quote_via=quote)
request = Request(
    ${formatLiteral(address)} + "?" + query,
    headers={"x-api-key": os.environ["${KEY_VARIABLE}"]},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`;
}

function formatPythonPost(address: string, members: Call['members']): string {
  const pairs = Object.entries(members).map(
    ([name, value]) => `    ${formatLiteral(name)}: ${formatPythonLiteral(value)},`,
  );
  return `import json, os
from urllib.request import Request, urlopen

document = {
${pairs.join('\n')}
}
request = Request(
    ${formatLiteral(address)},
    data=json.dumps(document).encode(),
    headers={
        "x-api-key": os.environ["${KEY_VARIABLE}"],
        "content-type": "application/json",
    },
)
with urlopen(request) as response, open("document.pdf", "wb") as file:
    file.write(response.read())`;
}

function formatPythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return formatLiteral(value);
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
