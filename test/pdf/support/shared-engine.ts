/**
 * The engine that the files of a group share: to start a browser takes as long as many tests. The file of
 * the group imports this module first, so that the engine closes after its last test.
 */
import { after } from 'node:test';
import { renderPage, RenderSlots } from '#browser';
import { createPdfEngine, type OpenResourceFetcher, type PdfEngine, warmUp } from '#pdf';
import { isFullRun } from '../../support/sample.ts';
import { createEngineOptions, NOT_SERVED } from './open-engine.ts';

/** The deadlines suit a busy machine: files with tests of deadlines have engines of their own. */
const TIMEOUT_MS = 200_000;
const SLOTS = 2;
/** So many pages are warmed up; the others are as those of a busy service, which take less CPU time. */
const WARM_PAGES = isFullRun ? Infinity : SLOTS;

const serveNothing: OpenResourceFetcher = () => () => Promise.resolve(NOT_SERVED);

let engine: Promise<PdfEngine> | undefined;
let openFetcher: OpenResourceFetcher = serveNothing;
let close = (): Promise<unknown> => Promise.resolve();
after(() => close());

/**
 * Returns an engine with two slots whose resources come from this fetcher, for the tests of one file: the
 * files of a group run one after the other. Only for files that neither close nor fail it.
 */
export function shareEngine(openResourceFetcher = serveNothing): Promise<PdfEngine> {
  openFetcher = openResourceFetcher;
  engine ??= open();
  return engine;
}

/** Evaluates an expression in a page of that engine, as the service does: no script of a document sees it. */
export let evaluate: (expression: string) => Promise<unknown> = () => Promise.reject(new Error('not open'));

async function open(): Promise<PdfEngine> {
  const options = createEngineOptions({
    openResourceFetcher: (...context) => openFetcher(...context),
    slots: SLOTS,
    timeoutMs: TIMEOUT_MS,
    smallDocumentMs: TIMEOUT_MS,
  });
  let warmed = 0;
  const slots = await RenderSlots.open({
    ...options,
    chromiumPath: process.env['CHROMIUM_PATH'] ?? null,
    chromiumCacheDir: null,
    useNetworkNamespace: true,
    warmUp: (page) => (++warmed > WARM_PAGES ? Promise.resolve() : warmUp(page)),
  });
  const opened = createPdfEngine(options, slots);
  const caller = { keyId: 'test', accountId: 'test', slots: null };
  evaluate = (expression) =>
    slots.run(caller, undefined, (keeper, signal) =>
      renderPage(
        keeper,
        { reuse: null, render: (page) => page.evaluate(expression) },
        { ...options, ...caller, signal, remainingMs: TIMEOUT_MS },
      ),
    );
  close = async () => {
    await opened.close();
    await slots.close();
  };
  return opened;
}
