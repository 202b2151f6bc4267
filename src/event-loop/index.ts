/** Shares the time of the main thread between everything that runs on it. */
export { hasTurnTime, startInTurn, continueInTurn, workInTurn } from './turns.ts';
export { runInSlices } from './run-in-slices.ts';
