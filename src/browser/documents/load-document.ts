import type { Page } from '../pages/page.ts';
import type { DocumentClock } from './document-clock.ts';
import { OBSERVE_CHANGES, formatStartDocument } from './document-start-script.ts';
import { openOrigin } from './open-origin.ts';
import type { SuppliedResponse } from '../resources/supplied-responses.ts';

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

/** A page of the web whose response is known. */
export interface WebPageSource {
  /** Its URL, with the fragment. */
  url: string;
  response: SuppliedResponse;
  /** The time that its clock starts at, in milliseconds since 1970. */
  epochMs: number;
}

/** The longest step until the load event. Before it, short steps make equal documents equal. */
const MAX_STEP_MS = 64;

/** Loads a document into a page, until its load event or the end of its real time. */
export async function loadDocument(page: Page, clock: DocumentClock, source: DocumentSource): Promise<void> {
  await openOrigin(page, source.url);
  page.onLoad = () => {
    clock.isLoaded = true;
  };
  // A navigation before the end of the source cuts the document off. After it, the navigation fails and the
  // document stays.
  page.onNavigation = () => page.abandon('navigated');
  page.onParsed = () => {
    page.onNavigation = null;
  };
  // Backgrounds, fonts and frames for print are requested only if the medium is print while the document
  // loads.
  page.sendAndForget('Emulation.setEmulatedMedia', { media: source.media });
  const offsetMs = await clock.start(source.epochMs);
  page.sendAndForget('Runtime.evaluate', { expression: formatStartDocument(offsetMs) });
  page.setScripting(source.javascript);
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: source.html });
  if (!(await runToLoad(page, clock))) return;
  page.onNavigation = null;
  page.sendAndForget('Runtime.evaluate', { expression: OBSERVE_CHANGES });
}

/** Opens a page of the web at its URL, until its load event or the end of its real time. */
export async function enterPage(page: Page, clock: DocumentClock, source: WebPageSource): Promise<void> {
  page.onLoad = () => {
    clock.isLoaded = true;
  };
  await clock.start(source.epochMs);
  await page.enter(source.url, source.response);
  if (await runToLoad(page, clock)) page.sendAndForget('Runtime.evaluate', { expression: OBSERVE_CHANGES });
}

/** Lets time pass until the load event. Returns false if the real time is over before. */
async function runToLoad(page: Page, clock: DocumentClock): Promise<boolean> {
  for (let step = 1; !clock.isLoaded; step = Math.min(step * 2, MAX_STEP_MS)) {
    if (!(await clock.advance(step))) return false;
    // The event may never come: window.stop(), a blocked navigation.
    if (step === MAX_STEP_MS && (await page.evaluate('document.readyState')) === 'complete')
      clock.isLoaded = true;
  }
  return true;
}
