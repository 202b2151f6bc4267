/**
 * npm run lists -- thresholds: derives the thresholds of suggestions from the vectors and `test/email/cases`,
 * by coordinate ascent on correct − 20 × false suggestions from the values in `thresholds.ts`. Each threshold
 * becomes the middle of its best plateau, until no value changes. Prints the score of each value tried, and
 * the plateaus. `--write` stores the values in `thresholds.ts`, and the plateaus for the tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { THRESHOLDS, type Thresholds } from '../src/email/suggest/thresholds.ts';
import { openScorer } from './suggestion-thresholds/open-scorer.ts';
import { formatPlateaus, PLATEAUS } from './suggestion-thresholds/plateaus.ts';
import { type Plateau, sweepThreshold, type ThresholdName } from './suggestion-thresholds/sweep-threshold.ts';

const SOURCE = new URL('../src/email/suggest/thresholds.ts', import.meta.url);
const MAX_PASSES = 8;

const score = openScorer();
const names = Object.keys(THRESHOLDS) as ThresholdName[];
const derived: Record<ThresholdName, number> = { ...THRESHOLDS };
const plateaus = new Map<ThresholdName, Plateau>();

/** Moves each threshold once; returns the names of those that changed. */
function ascend(): ThresholdName[] {
  return names.filter((name) => {
    const steps: string[] = [];
    const plateau = sweepThreshold(name, derived, score, (value, { correct, wrong }) => {
      steps.push(`${value}: ${correct}/${wrong}`);
    });
    plateaus.set(name, plateau);
    const { from, to, value, below, above } = plateau;
    const open = below === null || above === null ? ', open: no case needs it' : '';
    console.log(`${name} ${derived[name]} → ${value} [${from}..${to}]${open}\n  ${steps.join('  ')}`);
    const isChanged = value !== derived[name];
    derived[name] = value;
    return isChanged;
  });
}

function writeValues(values: Thresholds): void {
  let source = readFileSync(SOURCE, 'utf8');
  for (const name of names)
    source = source.replace(new RegExp(`\\b${name}: \\d+`), `${name}: ${values[name]}`);
  writeFileSync(SOURCE, source);
}

console.log('value: correct/false');
for (let pass = 1; pass <= MAX_PASSES; pass++) {
  const changed = ascend();
  console.log(`pass ${pass}: ${changed.length} changed: ${changed.join(' ')}`);
  if (changed.length === 0) break;
}
const total = score(derived);
console.log(`${total.correct} correct, ${total.wrong} false, ${total.missed} missed`);
if (process.argv.includes('--write')) {
  writeValues(derived);
  writeFileSync(PLATEAUS, formatPlateaus(total, plateaus));
}
