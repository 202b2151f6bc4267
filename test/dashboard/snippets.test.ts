/** The snippets run unchanged, whatever the form's input: in a POSIX shell, and with both clients. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { type Call, formatSnippet } from '../../dashboard/src/components/snippets.ts';
import { linkClients, PROGRAMS, runSnippet } from './snippet-programs.ts';

const KEY = 'ua_live_secret';
const HARD = `a "quoted" 'text' $HOME \`id\` \\ %41+&=#? é 日本 \u{1f600}`;

let server: Server;
let baseUrl: string;
let folder: string;
let seen: { method: string; key: string; members: Record<string, unknown> } | null = null;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  await linkClients(folder);
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const members =
        body === '' ? parseQuery(request.url ?? '/') : (JSON.parse(body) as Record<string, unknown>);
      seen = { method: request.method ?? '', key: String(request.headers['x-api-key']), members };
      const type = request.method === 'POST' ? 'application/pdf' : 'application/json';
      response
        .setHeader('content-type', type)
        .end('{"did_you_mean":"answered","title":"answered","og":{},"valid":true}');
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
      data: { list: [true, null, { [HARD]: HARD }], none: null, rate: 0.5 },
    },
  },
];

for (const language of ['curl', 'typescript', 'python'] as const) {
  const program = PROGRAMS[language];
  const skip = typeof program === 'string' ? program : false;
  for (const call of CALLS) {
    it(`${language} sends ${call.operation} with exactly the given values`, { skip }, async () => {
      if (typeof program === 'string') return;
      seen = null;
      const stdout = await runSnippet(program, formatSnippet(language, call, baseUrl), folder, KEY);
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

/** Replaces the client on machines without httpx: prints its calls. */
const PRINT_CALLS = `
import json, sys, types
class Recorder:
    def __init__(self, **options): print(json.dumps(options))
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def __getattr__(self, name):
        return lambda *values, **options: (print(json.dumps([name, values, options])), sys.exit())
sys.modules["utility_api"] = types.SimpleNamespace(UtilityApi=Recorder)
`;
const hasPython = canRun('python3', ['--version']);

it(
  'python calls the methods of the client with exactly the given values',
  { skip: hasPython ? false : 'python3 is not installed' },
  () => {
    const methods = ['validate_email', 'get_metadata', 'generate_pdf'];
    for (const [index, call] of CALLS.entries()) {
      const program = `${PRINT_CALLS}exec(${JSON.stringify(formatSnippet('python', call, baseUrl))})`;
      const printed = execFileSync('python3', ['-c', program], { encoding: 'utf8' }).trim().split('\n');
      const [first, ...options] = Object.entries(call.members);
      assert.deepEqual(
        printed.map((line) => JSON.parse(line) as unknown),
        [{ base_url: baseUrl }, [methods[index], [first?.[1]], Object.fromEntries(options)]],
      );
    }
  },
);

function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Parses a query as the service does: by RFC 3986, so "+" is a plus sign. */
function parseQuery(target: string): Record<string, string> {
  const pairs = (target.split('?', 2)[1] ?? '').split('&').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map(decodeURIComponent)));
}
