/** Estimates how hard a password is to guess. Large: loaded when a new password's field gets the focus. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { dictionary, graphs, translations } from 'virtual:password-words';

/** A score from 0 (among the first guesses) to 4 (years of guessing), and advice if there is some. */
export interface Strength {
  score: number;
  advice: string | null;
}

const estimator = new ZxcvbnFactory({ dictionary, graphs, translations });

/** The estimate takes longer for long passwords, and these are strong. */
const MAX_CHARACTERS = 64;

/** Estimates the strength of a password that belongs to `email`. */
export function estimateStrength(password: string, email: string): Strength {
  const known = ['utility', 'api', 'utilityapi', ...email.toLowerCase().split(/[^\p{L}\p{N}]+/u)];
  const { score, feedback } = estimator.check(
    password.slice(0, MAX_CHARACTERS),
    known.filter((word) => word.length > 2),
  );
  return { score, advice: feedback.warning ?? null };
}
