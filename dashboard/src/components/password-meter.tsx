/** The strength of a new password: ticks and a word. */
import { useEffect, useState } from 'react';
import { countCharacters, MIN_PASSWORD_CHARACTERS } from './credentials.ts';
import { Meter } from './meter.tsx';
import classes from './password-meter.module.css';
import type { Strength } from './password-strength.ts';

type Estimate = (password: string, email: string) => Strength;

/** Returns the estimator. It is loaded once `wanted` is true, and null until then or if that fails. */
function useEstimator(wanted: boolean): Estimate | null {
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let current = true;
    import('./password-strength.ts').then(
      (loaded) => current && setEstimate(() => loaded.estimateStrength),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [wanted]);
  return estimate;
}

const GRADES: readonly { word: string; meaning: 'bad' | 'warn' | 'ok' }[] = [
  { word: 'Easy to guess', meaning: 'bad' },
  { word: 'Easy to guess', meaning: 'bad' },
  { word: 'Could be stronger', meaning: 'warn' },
  { word: 'Good', meaning: 'ok' },
  { word: 'Strong', meaning: 'ok' },
];
const HIGHEST = 4;

/** Shows the strength of `password`. The service decides whether it is accepted. */
export function PasswordMeter({
  password,
  email,
  wanted,
}: {
  password: string;
  email: string;
  /** True once the field has had the focus. */
  wanted: boolean;
}) {
  const estimate = useEstimator(wanted);
  const length = countCharacters(password);
  if (length < MIN_PASSWORD_CHARACTERS || !estimate) {
    return (
      <div className={classes.meter}>
        <Meter
          used={Math.min(length, MIN_PASSWORD_CHARACTERS) / 2}
          limit={MIN_PASSWORD_CHARACTERS}
          label="Strength of the password"
          meaning={undefined}
        />
        <p>At least {MIN_PASSWORD_CHARACTERS} characters. A few unrelated words make a good password.</p>
      </div>
    );
  }
  const { score, advice } = estimate(password, email);
  const { word, meaning } = GRADES[score] ?? { word: '', meaning: undefined };
  return (
    <div className={classes.meter}>
      <Meter used={score + 1} limit={HIGHEST + 1} label="Strength of the password" meaning={meaning} />
      <p role="status">
        <strong>{word}.</strong> {advice}
      </p>
    </div>
  );
}
