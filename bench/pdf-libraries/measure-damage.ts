import { spawnSync } from 'node:child_process';
import { DAMAGES } from './damage.ts';
import type { Library } from './library.ts';

const LIMIT_MS = 30_000;
const PROCESS = new URL('damage-process.ts', import.meta.url).pathname;
const HEAP = '--max-old-space-size=1024';

/** Prints how each library ends on each damaged PDF: what it says, in how many seconds. */
export function measureDamage(libraries: readonly Library[], pdf: Uint8Array): void {
  console.log(`\nDamaged PDFs, each in a process of its own (at most ${LIMIT_MS / 1000} s, heap of 1 GiB)`);
  for (const [damage, apply] of Object.entries(DAMAGES)) {
    const input = apply(Buffer.from(pdf));
    const cells = libraries.map(({ name }) => `${name}: ${runDamaged(name, input)}`);
    console.log(`${damage.padEnd(44)}${cells.join(' · ')}`);
  }
}

function runDamaged(name: string, input: Buffer): string {
  const startedAt = performance.now();
  const child = spawnSync(process.execPath, [HEAP, PROCESS, name], { input, timeout: LIMIT_MS });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (child.error) return `endless (${seconds} s)`;
  const said = child.stdout.toString().trim().split(' ')[0];
  return `${said || `died (${child.signal ?? child.status})`} (${seconds} s)`;
}
