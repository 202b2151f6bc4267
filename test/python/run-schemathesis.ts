/**
 * Sends generated requests to the real service, valid and invalid ones, and checks its responses against its
 * OpenAPI document by Schemathesis. The checks and their exceptions are in schemathesis/schemathesis.toml.
 *
 *   npm test -- schemathesis                                  10,000 requests
 *   npm test -- schemathesis --requests 1000 --seed 1      fewer, the same each time
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runPython } from './run-python.ts';

/** The routes under /v1 in the document. */
const OPERATIONS = 5;

interface Report {
  seed: number;
  complete: boolean;
  running_time: number;
  operations: { tested: number };
  test_cases: { generated: number; unique_failures: number };
}

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const folder = fileURLToPath(new URL('schemathesis/', import.meta.url));

process.exitCode = await runPython({
  script: 'npm test -- schemathesis',
  minMinor: 11,
  requirements: new URL('schemathesis/requirements.txt', import.meta.url),
  work: async (start, { UTILITY_API_URL: url = '' }) => {
    // Schemathesis writes its state into the folder that it is started in.
    const output = mkdtempSync(join(tmpdir(), 'utility-api-schemathesis-'));
    try {
      const report = join(output, 'report.json');
      const args = ['--config-file', join(folder, 'schemathesis.toml'), 'run', `${url}/openapi.json`];
      args.push('--max-examples', String(Math.ceil(requests / OPERATIONS)), '--no-color');
      args.push('--report', 'json', '--report-json-path', report);
      if (values.seed !== undefined) args.push('--seed', values.seed);
      const env = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      const code = await start('schemathesis', args, { cwd: output, env });
      return isClean(JSON.parse(readFileSync(report, 'utf8')) as Report) && code === 0;
    } finally {
      rmSync(output, { recursive: true });
    }
  },
});

/** Prints the figures of a run. False if it found something, or sent fewer requests than it should. */
function isClean({ seed, complete, running_time, operations, test_cases }: Report): boolean {
  const { generated, unique_failures } = test_cases;
  console.log(
    `${generated} requests to ${operations.tested} operations in ${running_time.toFixed(0)} s with the seed ${seed}: ${unique_failures} findings.`,
  );
  return complete && operations.tested === OPERATIONS && generated >= requests && unique_failures === 0;
}
