/**
 * Loaded into the service's process with `--import`: adds the milliseconds in the file SOAK_CLOCK to the
 * machine's time of day. Threads load it too.
 */
import { readFileSync } from 'node:fs';
import { shiftClock } from '../../../test/support/shift-clock.ts';

const LOOK_EVERY_MS = 100;
const file = process.env['SOAK_CLOCK'];

if (file !== undefined) {
  const clock = shiftClock();
  const look = (): void => {
    const shiftMs = Number(readFileSync(file, 'utf8'));
    // A file that is being written is empty for a moment.
    if (Number.isFinite(shiftMs)) clock.shiftMs = shiftMs;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
