/**
 * A call as code that runs as it stands: curl in a POSIX shell, JavaScript on Node, Python 3 with its standard library.
 * Every text is quoted for its language, so that what was typed into a form can not end a string.
 */
import type { Operation } from '../api/types.ts';
import { operationInfo } from './operations.ts';

/** The languages of the snippets. */
export type SnippetLanguage = 'curl' | 'javascript' | 'python';

/** Their names on screen. */
export const SNIPPET_LANGUAGES: readonly { value: SnippetLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

/** One call: the operation and its query parameters or body members. */
export interface Call {
  operation: Operation;
  members: Record<string, unknown>;
}

/** Calls that show something at once. */
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

/** The name of the environment variable that the snippets read the key from. */
export const KEY_VARIABLE = 'UTILITY_API_KEY';

/** The call as code. */
export function snippet(language: SnippetLanguage, call: Call, baseUrl: string): string {
  const { method, path } = operationInfo(call.operation);
  const address = `${baseUrl}${path}`;
  if (language === 'curl')
    return method === 'GET' ? curlGet(address, call.members) : curlPost(address, call.members);
  if (language === 'javascript') {
    return method === 'GET' ? javascriptGet(address, call.members) : javascriptPost(address, call.members);
  }
  return method === 'GET' ? pythonGet(address, call.members) : pythonPost(address, call.members);
}

/** The line that puts the key where the snippets look for it. */
export function exportLine(secret: string): string {
  return `export ${KEY_VARIABLE}=${shell(secret)}`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

function queryText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function curlGet(address: string, members: Call['members']): string {
  const lines = Object.entries(members).map(([name, value]) => {
    const text = queryText(value);
    // Older versions of curl write a blank as "+", which the service takes for a plus sign (RFC 3986).
    return text.includes(' ')
      ? `--data ${shell(`${name}=${encodeURIComponent(text)}`)}`
      : `--data-urlencode ${shell(`${name}=${text}`)}`;
  });
  return [`curl --get ${shell(address)}`, `--header "x-api-key: $${KEY_VARIABLE}"`, ...lines].join(' \\\n  ');
}

function curlPost(address: string, members: Call['members']): string {
  return [
    `curl --fail-with-body ${shell(address)}`,
    `--header "x-api-key: $${KEY_VARIABLE}"`,
    `--header 'content-type: application/json'`,
    `--data-raw ${shell(literal(members))}`,
    '--output document.pdf',
  ].join(' \\\n  ');
}

function javascriptGet(address: string, members: Call['members']): string {
  const query = Object.entries(members)
    .map(([name, value], index) => {
      const start = `${index === 0 ? '?' : '&'}${name}=`;
      return typeof value === 'string'
        ? `${literal(start)} + encodeURIComponent(${literal(value)})`
        : literal(start + queryText(value));
    })
    .join(' +\n  ');
  return `const url =
  ${literal(address)} +
  ${query};
const response = await fetch(url, {
  headers: { 'x-api-key': process.env.${KEY_VARIABLE} },
});
console.log(response.status, await response.json());`;
}

function javascriptPost(address: string, members: Call['members']): string {
  return `import { writeFile } from 'node:fs/promises';

const response = await fetch(${literal(address)}, {
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

function pythonGet(address: string, members: Call['members']): string {
  const pairs = Object.entries(members).map(
    ([name, value]) => `    ${literal(name)}: ${literal(queryText(value))},`,
  );
  return `import json, os
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

query = urlencode({
${pairs.join('\n')}
}, quote_via=quote)
request = Request(
    ${literal(address)} + "?" + query,
    headers={"x-api-key": os.environ["${KEY_VARIABLE}"]},
)
with urlopen(request) as response:
    print(response.status, json.load(response))`;
}

function pythonPost(address: string, members: Call['members']): string {
  const pairs = Object.entries(members).map(
    ([name, value]) => `    ${literal(name)}: ${pythonLiteral(value)},`,
  );
  return `import json, os
from urllib.request import Request, urlopen

document = {
${pairs.join('\n')}
}
request = Request(
    ${literal(address)},
    data=json.dumps(document).encode(),
    headers={
        "x-api-key": os.environ["${KEY_VARIABLE}"],
        "content-type": "application/json",
    },
)
with urlopen(request) as response, open("document.pdf", "wb") as file:
    file.write(response.read())`;
}

function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return literal(value);
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
