/**
 * The engine that the files of a group share: to start a browser takes as long as many tests. The file of
 * the group imports this module first, so that the engine closes after its last test.
 */
import { after } from 'node:test';
import type { OpenResourceFetcher } from '#pdf';
import { NOT_SERVED, openEngine, type TestEngine } from './open-engine.ts';

/** The deadlines suit a busy machine: files with tests of deadlines have engines of their own. */
const TIMEOUT_MS = 200_000;

const serveNothing: OpenResourceFetcher = () => () => Promise.resolve(NOT_SERVED);

let engine: Promise<TestEngine> | undefined;
let openFetcher: OpenResourceFetcher = serveNothing;
after(async () => (await engine)?.close());

/**
 * Returns an engine with two slots whose resources come from this fetcher, for the tests of one file: the
 * files of a group run one after the other. Only for files that neither close nor fail it.
 */
export function shareEngine(openResourceFetcher = serveNothing): Promise<TestEngine> {
  openFetcher = openResourceFetcher;
  engine ??= openEngine({
    openResourceFetcher: (...context) => openFetcher(...context),
    slots: 2,
    timeoutMs: TIMEOUT_MS,
    smallDocumentMs: TIMEOUT_MS,
  });
  return engine;
}
