/**
 * The engine that the files of a group share: to start a browser takes as long as many tests. The file of
 * the group imports this module first, so that the engine closes after its last test.
 */
import { after } from 'node:test';
import { openEngine, type TestEngine } from './open-engine.ts';

let engine: Promise<TestEngine> | undefined;
after(async () => (await engine)?.close());

/** Returns an engine with the options of `openEngine()`. Only for files that neither close nor fail it. */
export function shareEngine(): Promise<TestEngine> {
  engine ??= openEngine();
  return engine;
}
