/** The test of each block of the docs. The first row that fits a block applies to it. */
import type { Block } from './markdown.ts';

export type Treatment =
  /** Runs in the shell session of its page, in a copy of the checkout, beside a running service. */
  | { kind: 'shell' }
  /** Is what the shell block before it prints. */
  | { kind: 'output' }
  /** Is what the service sends for this request. */
  | { kind: 'response'; to: SentRequest }
  /** Is valid by a schema of the OpenAPI document; `part` of a response may leave out members. */
  | { kind: 'valid'; operationId: string; part: 'body' | 'details' }
  /** Is read by a parser of its language. */
  | { kind: 'parsed' }
  /** Is a program that runs against the service. */
  | { kind: 'program' }
  /** Sets settings that the service accepts. */
  | { kind: 'settings' }
  /** Another test extracts it from its page, or tests what it says. */
  | { kind: 'tested'; by: string }
  | { kind: 'not run'; because: string };

export interface SentRequest {
  path: string;
  /** The default is GET, and POST with a body. */
  body?: object;
  accept?: string;
  /** Sent first. */
  after?: SentRequest;
}

export interface Row {
  page: string;
  language: string;
  /** Of the code. */
  start: string;
  treatment: Treatment;
}

const shell: Treatment = { kind: 'shell' };
const output: Treatment = { kind: 'output' };
const parsed: Treatment = { kind: 'parsed' };
const settings: Treatment = { kind: 'settings' };
const program: Treatment = { kind: 'program' };
const response = (to: SentRequest): Treatment => ({ kind: 'response', to });
const tested = (by: string): Treatment => ({ kind: 'tested', by });
const notRun = (because: string): Treatment => ({ kind: 'not run', because });

const BAD_TIMEOUT = '/v1/meta?url=http://example.com/&timeout=999';

const BOTH_PAGES = { urls: ['https://example.com/', 'https://example.org/'], max_age: 3600, timeout: 1000 };

/** Leaves 37 of the 600 requests of a minute. */
const USE_563 = {
  path: '/v1/email/validate/batch',
  body: { emails: Array<string>(563).fill('ann@example.com'), check_mx: false },
};

/** Page, language, start of the code (`''` for any), treatment. */
const ROWS: readonly (readonly [string, string, string, Treatment])[] = [
  ['ARCHITECTURE.md', 'text', 'src/', tested('test/map/architecture-doc.test.ts')],
  ['ARCHITECTURE.md', 'text', 'errors, options', notRun('a summary of test/architecture/rules.ts')],
  ['CONTRIBUTING.md', 'sh', 'npm start', notRun('a list of scripts, which the test of scripts finds')],
  ['README.md', 'sh', 'npm start', notRun('sets up the machine and runs all tests')],
  ['README.md', 'sh', 'KEY=$(npm run', shell],
  ['README.md', 'sh', 'UTILITY_API_URL=', shell],
  ['README.md', 'ts', '', tested('test/pdf/layout/cookbook.test.ts')],
  ['README.md', 'python', '', tested('test/pdf/layout/cookbook.test.ts')],
  ['README.md', 'json', '{"error"', response({ path: '/v1/email/validate?emial=x' })],
  [
    'client/README.md',
    'sh',
    'npm install',
    notRun('the packed package is installed by the test of its snippets'),
  ],
  ['client/README.md', 'js', '', tested('client/test/client-package.test.ts')],
  [
    'client/python/README.md',
    'sh',
    'pip install',
    notRun('the built wheel is installed by npm test -- python'),
  ],
  ['client/python/README.md', 'python', '', tested('client/python/tests/test_readme.py')],
  ['docs/cookbook/README.md', 'sh', 'jq', tested('test/pdf/layout/cookbook.test.ts')],
  ['docs/cookbook/README.md', 'sh', 'base64', tested('test/pdf/layout/cookbook.test.ts')],
  ['docs/reference/cli.md', 'sh', 'npm run --silent utility-api', shell],
  [
    'docs/reference/cli.md',
    'sh',
    'npm install',
    notRun('the client is installed by the tests of its package'),
  ],
  [
    'docs/reference/cli.md',
    'sh',
    'utility-api login',
    notRun('asks for a key; client/test/cli-commands.test.ts'),
  ],
  ['docs/reference/cli.md', 'sh', 'utility-api', shell],
  ['docs/reference/cli.md', 'text', '', output],
  ['docs/guides/limits.md', 'json', '{"month_start"', tested('test/api/monthly-quota.test.ts')],
  ['docs/operate/lists.md', 'sh', 'DISPOSABLE_LIST_URL=', settings],
  [
    'docs/guides/errors.md',
    'json',
    '{ "type"',
    response({ path: BAD_TIMEOUT, accept: 'application/problem+json' }),
  ],
  ['docs/reference/fonts.md', 'sh', 'npm run fonts', notRun('installs packages of npm')],
  ['docs/guides/*', 'json', '{\n  "error"', response({ path: BAD_TIMEOUT })],
  [
    'docs/guides/*',
    'sh',
    'export UTILITY_API_URL=',
    notRun('the variables of the reader, which the test sets'),
  ],
  [
    'docs/guides/limits.md',
    'json',
    '{"error":"rate_limit_exceeded","message":"The batch needs',
    response({
      path: '/v1/meta/batch',
      body: { urls: Array<string>(100).fill('http://example.com/') },
      after: USE_563,
    }),
  ],
  ['docs/guides/limits.md', 'json', '{"error":"rate_limit_exceeded"', tested('test/limits-doc.test.ts')],
  ['docs/operate/accounts.md', 'sh', 'PLANS=', settings],
  ['docs/reference/mcp.md', 'sh', 'claude mcp add', notRun('needs Claude Code')],
  ['docs/reference/mcp.md', 'json', '', parsed],
  ['docs/reference/mcp.md', 'toml', '', parsed],
  ['docs/reference/mcp.md', 'ts', '', program],
  [
    'docs/reference/metadata.md',
    'json',
    '{ "urls"',
    { kind: 'valid', operationId: 'getMetadataBatch', part: 'body' },
  ],
  [
    'docs/reference/metadata.md',
    'json',
    '"details"',
    { kind: 'valid', operationId: 'getMetadata', part: 'details' },
  ],
  [
    'docs/reference/metadata.md',
    'ndjson',
    '',
    response({
      path: '/v1/meta/batch',
      body: BOTH_PAGES,
      accept: 'application/x-ndjson',
      after: { path: '/v1/meta?url=https://example.com/&max_age=3600' },
    }),
  ],
  [
    'docs/operate/install.md',
    'sh',
    'docker build',
    notRun('needs Docker; test/deploy reads the image and its flags'),
  ],
  [
    'docs/operate/install.md',
    'sh',
    'cp .env.example',
    notRun('needs Docker; test/deploy reads the files of Compose'),
  ],
  ['docs/operate/install.md', 'sh', '# A trial', notRun('needs a cluster; test/deploy reads the manifests')],
  ['docs/operate/install.md', 'sh', 'npm run build', notRun('needs systemd; test/deploy reads the units')],
  ['docs/operate/monitor.md', 'sh', 'journalctl', notRun('needs the journal of systemd')],
  ['docs/operate/monitor.md', 'sh', 'OTEL_', settings],
  [
    'docs/operate/recover.md',
    'sh',
    'npm run --silent admin -- backup',
    tested('test/release/operations-doc.test.ts'),
  ],
  ['docs/operate/recover.md', 'sh', 'umask', tested('test/storage/postgres/postgres-dump.test.ts')],
  ['docs/operate/monitor.md', 'yaml', '', parsed],
  ['docs/operate/recover.md', 'cron', '', notRun('a line of cron, whose command is in the block before it')],
  ['docs/operate/recover.md', 'text', 'cannot start:', tested('test/storage/postgres/newer-schema.test.ts')],
  ['docs/reference/other-languages.md', 'sh', 'java', notRun('needs Java and OpenAPI Generator')],
  ['docs/reference/other-languages.md', 'go', '', notRun('needs Go and a generated client')],
  ['docs/reference/other-languages.md', 'java', '', notRun('needs Java and a generated client')],
  ['docs/reference/other-languages.md', 'python', '', notRun('needs a generated client')],
  ['docs/reference/pdf.md', 'css', '@page', tested('test/pdf/layout/margin-boxes.test.ts')],
  ['docs/reference/pdf.md', 'css', 'nav a', tested('test/pdf/contents.test.ts')],
  ['docs/reference/pdf.md', 'json', '{', tested('test/pdf/several-documents.test.ts')],
  ['docs/reference/pdf.md', 'css', 'body', tested('test/pdf/layout/pdf-doc.test.ts')],
  ['docs/reference/pdf.md', 'liquid', '', tested('test/pdf/layout/templates.test.ts')],
  ['docs/reference/pdf.md', 'text', '<', tested('test/pdf/layout/templates.test.ts')],
  ['docs/reference/pdf.md', 'html', '', tested('test/pdf/layout/pdf-doc.test.ts')],
  ['bench/pdf/results.md', 'text', '', notRun('what a measurement printed')],
  ['docs/operate/scaling.md', 'sh', 'PORT=', settings],
  ['docs/operate/scaling.md', 'redis', 'ACL SETUSER', tested('test/storage/redis/untrusted-server.test.ts')],
  ['*', 'sh', 'curl', shell],
  ['*', 'json', '', output],
  ['*', 'http', '', output],
];

export const TABLE: readonly Row[] = ROWS.map(([page, language, start, treatment]) => ({
  page,
  language,
  start,
  treatment,
}));

/** Finds the row of a block. An output needs a block before it that runs. */
export function findRow(block: Block): Row | null {
  const row = TABLE.find(
    ({ page, language, start }) =>
      (page.endsWith('*') ? block.path.startsWith(page.slice(0, -1)) : block.path === page) &&
      block.language === language &&
      block.code.startsWith(start),
  );
  if (row?.treatment.kind !== 'output') return row ?? null;
  return block.before && findRow(block.before)?.treatment.kind === 'shell' ? row : null;
}
