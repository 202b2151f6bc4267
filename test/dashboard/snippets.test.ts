/** The snippets run unchanged, whatever the form's input: in a POSIX shell, on Node, in Python. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { type Call, formatSnippet, type SnippetLanguage } from '../../dashboard/src/components/snippets.ts';

const run = promisify(execFile);
const KEY = 'ua_live_secret';
const HARD = `a "quoted" 'text' $HOME \`id\` \\ %41+&=#? é 日本 \u{1f600}`;

let server: Server;
let baseUrl: string;
let folder: string;
let seen: { method: string; key: string; members: Record<string, unknown> } | null = null;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const members =
        body === '' ? parseQuery(request.url ?? '/') : (JSON.parse(body) as Record<string, unknown>);
      seen = { method: request.method ?? '', key: String(request.headers['x-api-key']), members };
      response.setHeader('content-type', 'application/json').end('{"answered":true}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const PROGRAMS: Record<SnippetLanguage, { command: string; flags: string[] }> = {
  curl: { command: 'sh', flags: ['-c'] },
  javascript: { command: process.execPath, flags: ['--input-type=module', '-e'] },
  python: { command: 'python3', flags: ['-c'] },
};
const CALLS: Call[] = [
  { operation: 'validateEmail', members: { email: HARD, check_mx: false } },
  { operation: 'getMetadata', members: { url: `https://example.com/?q=${HARD}`, timeout: 5000 } },
  {
    operation: 'generatePdf',
    members: {
      html: `${HARD}\n<b>'\n"</b>\ttab`,
      page_size: 'A5',
      scale: 0.5,
      tagged: true,
      javascript: false,
    },
  },
];

for (const language of ['curl', 'javascript', 'python'] as const) {
  const { command, flags } = PROGRAMS[language];
  const skip = hasProgram(language === 'curl' ? 'curl' : command) ? false : `${command} is not installed`;
  for (const call of CALLS) {
    it(`${language} sends ${call.operation} with exactly the given values`, { skip }, async () => {
      seen = null;
      const code = formatSnippet(language, call, baseUrl);
      const env = { ...process.env, UTILITY_API_KEY: KEY };
      const { stdout } = await run(command, [...flags, code], { env, cwd: folder });
      const post = call.operation === 'generatePdf';
      // All query values are text.
      const expected = post
        ? call.members
        : Object.fromEntries(Object.entries(call.members).map(([name, value]) => [name, String(value)]));
      assert.deepEqual(seen, { method: post ? 'POST' : 'GET', key: KEY, members: expected });
      const output = post ? await readFile(join(folder, 'document.pdf'), 'utf8') : stdout;
      assert.match(output, /answered/);
    });
  }
}

/** Parses a query as the service does: by RFC 3986, so "+" is a plus sign. */
function parseQuery(target: string): Record<string, string> {
  const pairs = (target.split('?', 2)[1] ?? '').split('&').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent)));
}

function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`]);
    return true;
  } catch {
    return false;
  }
}
