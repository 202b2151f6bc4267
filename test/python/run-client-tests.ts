/**
 * Builds the Python client, installs its wheel into an environment of its own, and runs its tests and type
 * checks there, against the real service. Arguments are passed to pytest.
 *
 *   npm test -- python
 *   npm test -- python -k batch
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPython, type StartProgram } from './run-python.ts';

const client = fileURLToPath(new URL('../../client/python/', import.meta.url));

process.exitCode = await runPython({
  script: 'npm test -- python',
  minMinor: 9,
  requirements: new URL('../../client/python/requirements-test.txt', import.meta.url),
  work: async (start) => {
    const output = mkdtempSync(join(tmpdir(), 'utility-api-wheel-'));
    try {
      if (!(await installWheel(start, output))) return false;
      // Outside the folder of the sources, so that the installed package is tested.
      const tests = ['-m', 'pytest', '-p', 'no:cacheprovider', '--rootdir', client, join(client, 'tests')];
      const isTested = (await start('python', [...tests, ...process.argv.slice(2)], { cwd: output })) === 0;
      return (await start('mypy', ['--cache-dir', join(output, 'mypy')], { cwd: client })) === 0 && isTested;
    } finally {
      rmSync(output, { recursive: true });
    }
  },
});

/** Builds the source distribution, and from it the wheel, and installs that. */
async function installWheel(start: StartProgram, output: string): Promise<boolean> {
  const build = ['-m', 'build', '--no-isolation', '--outdir', output, client];
  if ((await start('python', build, { cwd: output })) !== 0) return false;
  const wheel = readdirSync(output).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) return false;
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--force-reinstall'];
  return (await start('python', [...install, join(output, wheel)], { cwd: output })) === 0;
}
