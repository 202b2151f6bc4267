#!/usr/bin/env node
// Starts the service once and stops it, so that Node fills the folder of NODE_COMPILE_CACHE. Run it as the
// user of the service: Node keeps a cache for each user.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'utility-api-warm-up-'));
const child = spawn(process.execPath, [main], {
  env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, CHROMIUM_PATH: '/nonexistent' },
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: 120_000,
});
let output = '';
child.stdout.setEncoding('utf8').on('data', (text) => {
  output += text;
  if (output.includes('listening on ')) child.kill('SIGTERM');
});
child.on('close', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  if (code !== 0) console.error(`The service did not start and stop (exit code ${code}):\n${output}`);
  process.exitCode = code === 0 ? 0 : 1;
});
