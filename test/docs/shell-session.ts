/** A shell that runs the blocks of a page one after the other, as a reader does: its variables stay. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, ROOT } from './markdown.ts';

/** The address in the docs. */
export const SHOWN_URL = 'http://127.0.0.1:3000';

export interface SessionOptions {
  url: string;
  variables: Readonly<Record<string, string>>;
}

/** The results of the blocks of a page. */
export interface Session {
  /** The text that each block printed. */
  outputs: Map<Block, string>;
  /** The files that they wrote. */
  files: string[];
}

/**
 * Runs the blocks of one page unchanged, but for the address of the service. The folder has links to the
 * files of the checkout, so that what the blocks write stays outside.
 */
export async function runBlocks(blocks: readonly Block[], options: SessionOptions): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    const checkout = linkCheckout(folder);
    const before = new Set(readdirSync(checkout));
    const programs = addPrograms(folder);
    const path = `${programs}:${process.env['PATH']}`;
    const home = { HOME: folder, XDG_CONFIG_HOME: folder, NO_PROXY: '127.0.0.1', PATH: path };
    const parts = await runParts(
      blocks.map(({ code }) => code.replaceAll(SHOWN_URL, options.url)),
      { cwd: checkout, env: { ...process.env, ...home, ...options.variables } },
    );
    const [block] = blocks.slice(parts.outputs.length - 1);
    assert.equal(parts.code, 0, `${block?.path}:${block?.line} fails: ${parts.errors}`);
    return {
      outputs: new Map(blocks.map((block, index) => [block, parts.outputs[index] ?? ''])),
      files: readdirSync(checkout).filter((name) => !before.has(name)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linkCheckout(folder: string): string {
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  for (const name of ['package.json', 'src', 'scripts', 'client', 'node_modules'])
    symlinkSync(join(ROOT.pathname, name), join(checkout, name));
  return checkout;
}

/** Adds the command of the client, as an installation of its package does. Returns the folder of programs. */
function addPrograms(folder: string): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const main = join(ROOT.pathname, 'client/src/cli/main.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(programs, 'utility-api'), script, { mode: 0o755 });
  return programs;
}

/** Runs scripts in one shell until one fails, and separates their outputs. */
async function runParts(
  scripts: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ outputs: string[]; errors: string; code: number | null }> {
  const separator = '\u001Enext block\u001E';
  const script = scripts.map((part) => `printf '${separator}'\n${part}`).join('\n');
  const child = spawn('sh', ['-euc', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => (texts[name] += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { outputs: texts.stdout.split(separator).slice(1), errors: texts.stderr, code };
}
