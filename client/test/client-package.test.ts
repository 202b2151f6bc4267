/** The package itself: its generated types, its size, its imports, and the tarball that npm publishes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { parseSync } from 'oxc-parser';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { startApp, type TestApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import { formatClientFiles } from '../build/write-api-types.ts';
import { findOldestNode, installPackedClient } from './packed-client.ts';

const MAX_GZIP_BYTES = 6_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const load = (path: string): string => readFileSync(join(root, path), 'utf8');
const run = promisify(execFile);

describe('the sources of the client', () => {
  it('have types that are up to date with openapi.json (npm run docs)', () => {
    for (const [path, text] of Object.entries(formatClientFiles())) assert.equal(load(path), text, path);
  });

  it('import one another and nothing else', () => {
    const paths = globSync('client/src/*.ts', { cwd: root });
    assert.ok(paths.length > 10);
    for (const path of paths) {
      const { staticImports, staticExports, dynamicImports } = parseSync(path, load(path)).module;
      const names = [
        ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? './')),
      ];
      assert.equal(dynamicImports.length, 0, path);
      for (const name of names) assert.match(name, /^\.\/[\w.-]*$/, `${path} imports ${name}`);
    }
  });

  it(`are at most ${MAX_GZIP_BYTES} bytes of gzip when bundled and minified`, async (t) => {
    const bundle = await rolldown({ input: join(root, 'client/src/index.ts'), platform: 'neutral' });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    assert.equal(output.length, 1);
    const bytes = gzipSync(output[0].code).length;
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes > 2_000 && bytes <= MAX_GZIP_BYTES, `${bytes} bytes`);
  });
});

describe('the packed client', { concurrency: true }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-client-'));
  let tarball: Uint8Array<ArrayBuffer>;
  let service: TestApp;
  let env: Record<string, string>;

  before(async () => {
    tarball = installPackedClient(folder);
    service = await startApp(WITH_BROWSER);
    env = { UTILITY_API_URL: service.url, UTILITY_API_KEY: await service.createKey(), PATH: '/usr/bin:/bin' };
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('has the license, the docs and the build, and no sources', () => {
    const files = globSync('**/*.*', { cwd: join(folder, 'node_modules/utility-api-client') });
    assert.deepEqual(
      files.filter((name) => !/^dist\/[\w/.-]+\.(js|d\.ts)$/.test(name)),
      ['README.md', 'package.json'],
    );
    assert.equal(load('client/LICENSE'), load('LICENSE'));
    for (const name of files.filter((path) => path.startsWith('dist')))
      assert.doesNotMatch(
        readFileSync(join(folder, 'node_modules/utility-api-client', name), 'utf8'),
        /from '\.[^']*\.ts'/,
        name,
      );
  });

  it('is clean by publint', async () => {
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball.buffer } });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
  });

  it('has types that every kind of resolution finds (arethetypeswrong), as a package of ES modules', async () => {
    const result = await checkPackage(createPackageFromTarballData(tarball));
    assert.ok(result.types);
    // require() loads ES modules from Node 20.19 on: see the next test.
    const problems = result.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
    assert.deepEqual(problems, []);
  });

  it('is loaded by import and by require(), on the oldest Node of the machine', async () => {
    const node = findOldestNode();
    for (const [name, code] of [
      [
        'load.mjs',
        "import { UtilityApi, VERSION } from 'utility-api-client'; console.log(typeof UtilityApi, VERSION)",
      ],
      [
        'load.cjs',
        "const { UtilityApi, VERSION } = require('utility-api-client'); console.log(typeof UtilityApi, VERSION)",
      ],
    ] as const) {
      writeFileSync(join(folder, name), code);
      const { stdout } = await run(node, [name], { cwd: folder });
      const { version } = JSON.parse(load('client/package.json')) as { version: string };
      assert.equal(stdout.trim(), `function ${version}`, name);
    }
  });

  const snippets = [...load('client/README.md').matchAll(/^```js\n([^]*?)^```$/gm)].map(
    ([, code = '']) => code,
  );
  for (const [index, code] of snippets.entries())
    it(`runs snippet ${index + 1} of its README: ${code.split('\n')[3]}`, async () => {
      writeFileSync(join(folder, `snippet-${index}.mjs`), code);
      const { stdout } = await run(findOldestNode(), [`snippet-${index}.mjs`], { cwd: folder, env });
      assert.notEqual(stdout, '');
    });
  it('has snippets of every operation in its README', () => {
    for (const name of [
      'validateEmail',
      'validateEmailBatch',
      'getMetadata',
      'getMetadataBatch',
      'generatePdf',
    ])
      assert.ok(
        snippets.some((code) => code.includes(`api.${name}(`)),
        name,
      );
  });

  for (const [runtime, options] of [
    ['Node', { lib: ['es2023'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }],
    [
      'the web, Deno and edge runtimes',
      { lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
    ],
  ] as const)
    it(`has types that a strict program for ${runtime} can use`, async () => {
      const program = join(folder, `types-${runtime.split(' ')[0]}`);
      mkdirSync(program);
      const compilerOptions = {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        module: 'nodenext',
        target: 'es2022',
        noEmit: true,
        skipLibCheck: runtime === 'Node',
      };
      writeFileSync(join(program, 'package.json'), '{"type":"module"}');
      writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      const node =
        "import { writeFile } from 'node:fs/promises';\nexport const save = (pdf: Pdf) => writeFile('x.pdf', pdf.stream);\n";
      writeFileSync(join(program, 'program.ts'), TYPED_PROGRAM + (runtime === 'Node' ? node : ''));
      await run(join(root, 'node_modules/.bin/tsc'), ['-p', program]).catch((error: { stdout: string }) =>
        assert.fail(error.stdout),
      );
    });
});

const TYPED_PROGRAM = `import { ConnectionError, type ErrorCode, type Pdf, UtilityApi, UtilityApiError } from 'utility-api-client';

const api = new UtilityApi({ apiKey: 'k', baseUrl: 'https://api.example.com', fetch });
const result = await api.validateEmail('ann@gmial.com', { details: true }, { signal: AbortSignal.timeout(1) });
export const verdict: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' | undefined = result.details?.verdict;
const { data, rateLimit } = await api.getMetadata('x', { render: true }).withResponse();
export const resetAt: Date | undefined = rateLimit?.resetAt;
export const title: string | null = data.title;
for await (const row of api.getMetadataBatch(new Set(['x']), { render: 'auto' })) {
  if (row.error) console.log(row.error.status, row.error.message);
  else console.log(row.title, row.og.title);
}
for await (const row of api.validateEmailBatch(['x'])) console.log(row.did_you_mean);
const pdf: Pdf = await api.generatePdf({ html: 'x', page_size: 'A4' });
export const bytes: Uint8Array = await pdf.bytes();
for await (const part of pdf.stream) console.log(part.byteLength);
// @ts-expect-error The options have the names of the API.
await api.generatePdf({ html: 'x', pageSize: 'A4' });
// @ts-expect-error
await api.generatePdf({ html: 'x', page_size: 'A9' });
// @ts-expect-error The rows are always in order.
api.validateEmailBatch(['x'], { order: false });
export function explain(error: unknown): ErrorCode {
  if (error instanceof ConnectionError) return error.code;
  if (!(error instanceof UtilityApiError)) throw error;
  switch (error.code) {
    case 'rate_limit_exceeded':
    case 'client_timeout':
      return String(error.retryAfterSeconds);
    case 'an_identifier_of_tomorrow':
      return error.param ?? '';
    default:
      return error.code;
  }
}
`;
