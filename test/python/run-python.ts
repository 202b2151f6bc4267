/** Runs a Python program of the tests with the real service beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findPython, InstallError, prepareEnvironment } from './python-environment.ts';
import { startPythonService } from './python-service.ts';

export interface PythonRun {
  /** The script of package.json, for messages. */
  script: string;
  /** The oldest Python that the packages support: 9 for 3.9. */
  minMinor: number;
  requirements: URL;
  /** Runs the programs. Returns true if all of them succeeded. `variables` are those of the service. */
  work: (start: StartProgram, variables: Readonly<Record<string, string>>) => Promise<boolean>;
}

/** Starts a program of the environment in a folder. Returns its exit code. */
export type StartProgram = (
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
) => Promise<number>;

/**
 * Returns the exit code of the script. It is 0 without a Python, and without PyPI unless CI is set: a machine
 * without them can run all other tests.
 */
export async function runPython({ script, minMinor, requirements, work }: PythonRun): Promise<number> {
  const python = findPython(minMinor);
  if (typeof python === 'string') {
    console.log(`${script}: skipped: ${python}.`);
    return 0;
  }
  let programs: string;
  try {
    programs = prepareEnvironment(python, requirements);
  } catch (error) {
    if (!(error instanceof InstallError) || process.env['CI']) throw error;
    console.log(`${script}: skipped: the packages of PyPI cannot be installed.\n${error.message}`);
    return 0;
  }
  await using running = await startPythonService();
  const start: StartProgram = async (program, args, { cwd, env }) => {
    const child = spawn(join(programs, program), args, {
      cwd,
      stdio: 'inherit',
      env: { ...process.env, ...running.variables, ...env, NO_PROXY: '127.0.0.1', PYTHONUNBUFFERED: '1' },
    });
    const stop = (): void => void child.kill('SIGINT');
    process.once('SIGTERM', stop);
    const [code] = (await once(child, 'exit')) as [number | null];
    process.removeListener('SIGTERM', stop);
    return code ?? 1;
  };
  return (await work(start, running.variables)) ? 0 : 1;
}
