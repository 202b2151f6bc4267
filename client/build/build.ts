/**
 * Builds client/dist, which is what npm publishes: JavaScript and declarations of the client, and the command
 * line. `npm run build -w client`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const client = fileURLToPath(new URL('../', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** Builds the package into a folder, which is replaced. */
export function buildClient(target: string): void {
  rmSync(target, { recursive: true, force: true });
  // The client is compiled without the types of Node, the command line with them.
  for (const project of [client, `${client}src/cli`])
    execFileSync(tsc, ['-p', project, '--outDir', target], { stdio: 'inherit' });
  chmodSync(`${target}/cli/main.js`, 0o755);
  // The compiler changes the names of imported files in JavaScript only.
  for (const name of globSync('**/*.d.ts', { cwd: target })) {
    const path = `${target}/${name}`;
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: `${client}dist` } } });
  buildClient(values.out);
}
