/**
 * The code samples of the reference: each operation as a call that runs as copied, with its example and
 * without the fields that it leaves out. The key comes from the environment variable UTILITY_API_KEY.
 */

/** A call, from the examples of an operation. */
interface Call {
  method: string;
  /** With the query. */
  url: string;
  /** The JSON of the body; null without one. */
  body: object | null;
  /** The name of the file that the response becomes; null if it is JSON. */
  file: string | null;
}

interface MediaType {
  examples?: Record<string, { value: { filename?: string } }>;
}

interface Operation {
  parameters?: { name: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}

/** The part of an OpenAPI document that the samples are made from. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** Adds samples to each operation of a document. Their calls go to `origin`. */
export function addCodeSamples(document: OpenApiDocument, origin: string): OpenApiDocument {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const call = buildCall(method.toUpperCase(), `${origin}${path}`, operation);
      operation['x-codeSamples'] = [
        { lang: 'shell', label: 'curl', source: formatCurl(call) },
        { lang: 'javascript', label: 'JavaScript', source: formatJavaScript(call) },
        { lang: 'python', label: 'Python', source: formatPython(call) },
      ];
    }
  return document;
}

function buildCall(
  method: string,
  url: string,
  { parameters = [], requestBody, responses }: Operation,
): Call {
  const query = parameters
    .filter(({ required }) => required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const [request] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const body = request?.value ?? null;
  const isPdf = responses['200']?.content?.['application/pdf'] !== undefined;
  return {
    method,
    url: query.length === 0 ? url : `${url}?${query.join('&')}`,
    body,
    file: isPdf ? (body?.filename ?? 'document.pdf') : null,
  };
}

function formatCurl({ url, body, file }: Call): string {
  const lines = [`curl --fail-with-body ${quoteForShell(url)}`, `--header "x-api-key: $UTILITY_API_KEY"`];
  if (body !== null)
    lines.push(`--header 'content-type: application/json'`, `--data-raw ${quoteForShell(formatJson(body))}`);
  if (file !== null) lines.push(`--output ${quoteForShell(file)}`);
  return lines.join(' \\\n  ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function formatJavaScript({ method, url, body, file }: Call): string {
  const headers = [`'x-api-key': process.env.UTILITY_API_KEY,`];
  if (body !== null) headers.push(`'content-type': 'application/json',`);
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    `headers: {\n    ${headers.join('\n    ')}\n  },`,
    ...(body === null ? [] : [`body: JSON.stringify(${formatJson(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const call = `const response = await fetch(${JSON.stringify(url)}, {
  ${members.join('\n  ')}
});
if (!response.ok) throw new Error(await response.text());`;
  if (file === null) return `${call}\nconsole.log(await response.json());`;
  return `import { writeFile } from 'node:fs/promises';

${call}
await writeFile(${JSON.stringify(file)}, Buffer.from(await response.arrayBuffer()));`;
}

function formatPython({ url, body, file }: Call): string {
  const headers = ['"x-api-key": os.environ["UTILITY_API_KEY"],'];
  if (body !== null) headers.push('"content-type": "application/json",');
  const data = body === null ? '' : '    data=json.dumps(body).encode(),\n';
  const request = `import json
import os
from urllib.request import Request, urlopen

${body === null ? '' : `body = ${formatPythonLiteral(body)}\n`}request = Request(
    ${JSON.stringify(url)},
${data}    headers={
        ${headers.join('\n        ')}
    },
)`;
  if (file === null)
    return `${request}\nwith urlopen(request) as response:\n    print(json.dumps(json.load(response), indent=2))`;
  return `${request}
with urlopen(request) as response, open(${JSON.stringify(file)}, "wb") as pdf:
    pdf.write(response.read())`;
}

/** Formats JSON as Python, whose true, false and null have other names. */
function formatPythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${formatPythonLiteral(item, inner)},\n`)
    : Object.entries(value).map(
        ([name, member]) => `${inner}${JSON.stringify(name)}: ${formatPythonLiteral(member, inner)},\n`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join('')}${indent}${close}`;
}
