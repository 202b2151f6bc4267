import type { Page } from '../pages/page.ts';
import type { DocumentClock } from './document-clock.ts';
import { OBSERVE_CHANGES, START_DOCUMENT } from './document-start-script.ts';
import { openOrigin } from './open-origin.ts';

/** A document to load. */
export interface DocumentSource {
  html: string;
  /** The document's URL, and with it its origin; null for OWN_URL. */
  url: string | null;
  /** The time that its clock starts at, in milliseconds since 1970. */
  epochMs: number;
  media: 'print' | 'screen';
  javascript: boolean;
}

/** The longest step until the load event. Before it, short steps make equal documents equal. */
const MAX_STEP_MS = 64;

/** Loads a document into a page, until its load event or the end of its real time. */
export async function loadDocument(page: Page, clock: DocumentClock, source: DocumentSource): Promise<void> {
  await openOrigin(page, source.url);
  page.onLoad = () => {
    clock.isLoaded = true;
  };
  // What follows in the source would be missing. After it, the navigation fails, and the document stays.
  page.onNavigation = () => page.abandon('navigated');
  page.onParsed = () => {
    page.onNavigation = null;
  };
  // Backgrounds, fonts and frames for print are requested only if the medium is print while the document
  // loads.
  page.sendAndForget('Emulation.setEmulatedMedia', { media: source.media });
  clock.start(source.epochMs);
  page.sendAndForget('Runtime.evaluate', { expression: START_DOCUMENT });
  if (!source.javascript) page.sendAndForget('Emulation.setScriptExecutionDisabled', { value: true });
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: source.html });
  for (let step = 1; !clock.isLoaded; step = Math.min(step * 2, MAX_STEP_MS)) {
    if (!(await clock.advance(step))) return;
    // The event may never come: window.stop(), a blocked navigation.
    if (step === MAX_STEP_MS && (await page.evaluate('document.readyState')) === 'complete')
      clock.isLoaded = true;
  }
  page.onNavigation = null;
  page.sendAndForget('Runtime.evaluate', { expression: OBSERVE_CHANGES });
}
