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
  port: number;
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
 * Runs the blocks of one page unchanged. The folder has links to the files of the checkout, so that what the
 * blocks write stays outside. curl connects to `port` when it is given the address of the docs.
 */
export async function runBlocks(blocks: readonly Block[], options: SessionOptions): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    const checkout = linkCheckout(folder);
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, '.curlrc'), `connect-to = "127.0.0.1:3000:127.0.0.1:${options.port}"\n`);
    const before = new Set(readdirSync(checkout));
    const env = { ...process.env, CURL_HOME: home, NO_PROXY: '127.0.0.1', ...options.variables };
    const parts = await runParts(
      blocks.map(({ code }) => code),
      { cwd: checkout, env },
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
  for (const name of ['package.json', 'src', 'scripts', 'node_modules'])
    symlinkSync(join(ROOT.pathname, name), join(checkout, name));
  return checkout;
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
