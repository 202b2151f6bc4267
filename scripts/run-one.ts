/**
 * Runs one program of a group: `npm run bench -- <name>`, `npm run docs`, `npm run lists -- <name>` and
 * `npm test -- <name>`. What follows the name goes to the program. Without a name it runs the programs that
 * are called like the group, else it lists the names.
 */
import { spawn } from 'node:child_process';

type Programs = readonly (readonly [name: string, sentence: string, ...commands: string[]])[];

const TESTS = '--test --import ./test/support/end-after-tests.ts --test-timeout=240000';
/** Attacks measure what they do to the machine. */
const ATTACKS = `${TESTS} --test-concurrency=1 test/attacks/*.test.ts`;

const PDFA = `${TESTS} test/pdfa/*.test.ts`;

const GROUPS: Record<string, Programs> = {
  bench: [
    ['start', 'fresh clone to the first response, and the packages', 'bench/measure-start.ts'],
    ['http', 'an email validation compared with a bare server', 'bench/http/main.ts'],
    ['email', 'the call of the library and the request', 'bench/email/main.ts', 'bench/http/main.ts'],
    ['email-scores', 'right answers of the peers and this module', 'bench/email/score-peers.ts'],
    ['email-authors', 'suggestions for the domains of git authors', 'bench/email/score-authors.ts'],
    ['metadata', 'pages per second beside the peers', 'bench/metadata/main.ts'],
    ['metadata-pages', 'right answers for real pages', 'bench/metadata/real-pages/main.ts'],
    ['pdf', 'latency and throughput beside the peers', 'bench/pdf/main.ts'],
    ['pdf-finish', 'CPU time of what comes after printing', 'bench/pdf/finish-times.ts'],
    ['pdf-real', '200 real documents compared with plain Chromium', 'bench/pdf/real-documents/main.ts'],
    ['pdf-soak', '10,000 documents of all kinds', 'bench/pdf/soak.ts'],
    ['pdf-versions', 'this version beside another', 'bench/pdf/compare-versions.ts'],
    ['limits', 'the rate limit in Redis and in memory', 'bench/limits/main.ts'],
    ['replicas', '1, 2 and 4 replicas', 'bench/replicas/main.ts'],
    ['sizing', 'CPU time and memory of each operation', 'bench/sizing/main.ts'],
    ['first-load', 'the script of each page of the dashboard', 'dashboard/build/measure-first-load.ts'],
    ['reliability', 'latency of a client beside hostile ones', 'bench/reliability/main.ts'],
    ['reliability-soak', '10 minutes of faults: nothing lost', 'bench/reliability/soak/main.ts'],
  ],
  lists: [
    ['update', 'the lists of disposable and free domains', 'scripts/update-domain-lists.ts'],
    ['replay', 'the build of the lists judged by what it could not know', 'scripts/replay-domain-lists.ts'],
    ['mail-domains', 'the mail domains near a provider', 'scripts/update-mail-domains.ts'],
    ['tlds', 'the top-level domains', 'scripts/update-top-level-domains.ts'],
    ['rates', 'the rates of typing errors', 'scripts/learn-typo-rates.ts'],
  ],
  docs: [
    [
      'docs',
      'all that is generated from the code',
      'scripts/write-docs.ts',
      'dashboard/build/write-api-types.ts',
      'client/build/write-api-types.ts',
      'scripts/python-client/write-python-types.ts',
    ],
    ['pictures', 'the pictures of README and docs', 'scripts/draw-pictures.ts'],
    ['front-door', 'the examples of the front door', 'scripts/record-front-door.ts'],
    ['icons', 'the icons of the dashboard', 'scripts/make-icons.ts'],
    ['metadata', 'the tables of docs/internals/metadata.md', 'bench/metadata/compare.ts'],
  ],
  lint: [
    ['lint', 'wording and the OpenAPI document', 'scripts/check-wording.ts', 'scripts/lint-openapi.ts'],
    ['wording', 'the wording alone', 'scripts/check-wording.ts'],
  ],
  test: [
    ['test', 'all tests, samples of the long ones', 'scripts/run-tests.ts'],
    [
      'full',
      'all of these but the image, and nothing sampled',
      'scripts/run-tests.ts',
      ATTACKS,
      PDFA,
      'test/python/run-client-tests.ts',
      'test/python/run-schemathesis.ts',
      'bench/reliability/main.ts',
    ],
    ['attacks', 'hostile clients beside a well-behaved one', ATTACKS],
    ['python', 'the Python client', 'test/python/run-client-tests.ts'],
    ['schemathesis', 'generated requests', 'test/python/run-schemathesis.ts'],
    ['pdfa', 'veraPDF and Mustang judge archives', PDFA],
    ['image', 'builds and runs the image', 'scripts/smoke-image.ts'],
  ],
};

const [group = '', ...given] = process.argv.slice(2);
const programs = GROUPS[group] ?? [];
const isNamed = given[0] !== undefined && !given[0].startsWith('-');
const name = isNamed ? given[0] : group;
const found = programs.find(([each]) => each === name);
// The program ends by itself when it is interrupted: npm has sent it the same signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
if (found === undefined) {
  if (isNamed) console.error(`There is no "${name}". The names are:`);
  for (const [each, sentence] of programs) console.log(`${each.padEnd(18)}${sentence}`);
  process.exitCode = isNamed ? 1 : 0;
} else {
  const [, , ...commands] = found;
  process.exitCode = await runAll(commands, given.slice(isNamed ? 1 : 0), name === 'full');
}

/**
 * Runs the commands one after the other, the last with the arguments. A full run goes on after a failure.
 * Returns the last exit code that is not 0.
 */
async function runAll(commands: readonly string[], args: string[], isFull: boolean): Promise<number> {
  let failure = 0;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    const flags = group === 'test' ? (process.env['TEST_FLAGS'] ?? '').split(/\s+/).filter(Boolean) : [];
    if (isFull) flags.unshift('--test-timeout=3600000');
    const [program = '', ...rest] = command.split(' ');
    // Flags of Node's test runner come before the files.
    const own =
      program === '--test' ? [program, ...flags, ...rest] : [program, ...rest, ...testFlags(program, flags)];
    const env = { ...process.env, ...(isFull && { TEST_FULL: '1' }) };
    const child = spawn(process.execPath, [...own, ...(isLast ? args : [])], { env, stdio: 'inherit' });
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
    if (code !== 0) failure = code;
    if (code !== 0 && !isFull) break;
  }
  return failure;
}

/** Returns the flags for the program that runs all tests; the others have options of their own. */
function testFlags(program: string, flags: readonly string[]): readonly string[] {
  return program.endsWith('run-tests.ts') ? flags : [];
}
