import { findMissingProgram, InstallError } from './install-validators.ts';
import { Judge } from './judge.ts';

/**
 * Starts the validators; null, and a line in the log, on a machine without Java, and without the validators
 * unless CI is set: it can run all other tests.
 */
export function openJudge(): Judge | null {
  const missing = findMissingProgram();
  if (missing !== null) {
    console.log(`npm test -- pdfa: skipped: ${missing}.`);
    return null;
  }
  try {
    return new Judge();
  } catch (error) {
    if (!(error instanceof InstallError) || process.env['CI']) throw error;
    console.log(`npm test -- pdfa: skipped: the validators cannot be fetched.\n${error.message}`);
    return null;
  }
}
