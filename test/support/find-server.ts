/**
 * Finds the program of a server for tests: a variable names it, else the machine or a Debian package has it.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { findProgram, type Program, type ProgramChoice } from './debian-packages.ts';

export interface ServerSearch {
  /** The name of the server in messages. */
  title: string;
  /** The environment variable that may name the path of the program. */
  variable: string;
  choices: readonly ProgramChoice[];
}

/**
 * Returns the program, or the reason why there is none. Throws the reason if `CI` is set, so that tests are
 * not skipped unnoticed, and if the variable names a file that is not a program.
 */
export function findServer({ title, variable, choices }: ServerSearch): Program | string {
  const given = process.env[variable];
  if (given) {
    if (!isProgram(given)) throw new Error(`${variable} is ${given}, which is not a program: correct it`);
    return { path: given, libraries: [] };
  }
  try {
    return findProgram(...choices);
  } catch (error) {
    const names = choices.map(({ name }) => name).join(' or ');
    const reason = `no ${title}: ${(error as Error).message}. Install ${names}, or set ${variable} to it.`;
    if (process.env['CI']) throw new Error(reason, { cause: error });
    return reason;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
