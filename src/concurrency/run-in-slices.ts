import { workInTurn } from './turns.ts';

/**
 * Runs long work in slices, in turns that have time, until `slice` returns true. Rejects with what it throws.
 */
export async function runInSlices(slice: () => boolean): Promise<void> {
  while (!(await workInTurn(slice)));
}
