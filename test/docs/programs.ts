/** Programs of the docs in TypeScript and JavaScript: their types, and runs beside the service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Block, ROOT } from './markdown.ts';
import { SHOWN_URL } from './shell-session.ts';
import { patientMs } from '../support/patience.ts';

const run = promisify(execFile);
const modules = join(ROOT.pathname, 'node_modules');

/** Creates a folder in which programs find the packages of the project. */
function openFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'docs-programs-'));
  symlinkSync(modules, join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** Returns what the compiler says of the programs; empty if it finds nothing. */
export async function checkPrograms(blocks: readonly Block[]): Promise<string> {
  using folder = openFolder();
  for (const { path, line, language, code } of blocks)
    writeFileSync(
      join(folder.path, `${path.replaceAll('/', '_')}_line_${line}.${language}`),
      `${code}\nexport {};\n`,
    );
  const compilerOptions = {
    strict: true,
    allowJs: true,
    checkJs: true,
    module: 'nodenext',
    target: 'es2024',
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(modules, '@types')],
    paths: { 'utility-api-client': [join(ROOT.pathname, 'client/src/index.ts')] },
  };
  writeFileSync(
    join(folder.path, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts', '*.js'] }),
  );
  return await run(join(modules, '.bin/tsc'), ['-p', folder.path]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

/** Runs a program with Node, with the address of the service in place of the one in the docs. */
export async function runProgram(
  { path, line, language, code }: Block,
  { url, variables }: { url: string; variables: Readonly<Record<string, string>> },
): Promise<void> {
  using folder = openFolder();
  assert.ok(code.includes(SHOWN_URL), `${path}:${line} does not name ${SHOWN_URL}`);
  const file = join(folder.path, `program.${language}`);
  // One that prints nothing shows its result.
  const last = code.includes('console.log') ? '' : 'console.log(structuredContent);\n';
  writeFileSync(file, `${code.replaceAll(SHOWN_URL, url)}\n${last}`);
  const client = JSON.stringify(new URL('client/src/index.ts', ROOT).href);
  const hooks = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name === 'utility-api-client' ? ${client} : name, context) });`;
  writeFileSync(join(folder.path, 'hooks.js'), hooks);
  const env = { ...process.env, NO_PROXY: '127.0.0.1', ...variables };
  const args = ['--import', './hooks.js', file];
  const { stdout } = await run(process.execPath, args, { cwd: folder.path, env, timeout: patientMs(20_000) });
  assert.match(stdout, /ann@gmail\.com/, `${path}:${line}`);
}
