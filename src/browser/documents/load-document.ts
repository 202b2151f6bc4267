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

/**
 * Loads a document into a page, or opens a page of the web in it, until the load event or the end of the real
 * time.
 */
export async function loadDocument(
  page: Page,
  clock: DocumentClock,
  source: DocumentSource | WebPageSource,
): Promise<void> {
  if ('html' in source) await openOrigin(page, source.url);
  page.onLoad = () => {
    clock.isLoaded = true;
  };
  if ('html' in source) await setDocument(page, clock, source);
  else {
    await clock.start(source.epochMs);
    await page.open(source.url, source.response);
  }
  for (let step = 1; !clock.isLoaded; step = Math.min(step * 2, MAX_STEP_MS)) {
    if (!(await clock.advance(step))) return;
    // The event may never come: window.stop(), a blocked navigation.
    if (step === MAX_STEP_MS && (await page.evaluate('document.readyState')) === 'complete')
      clock.isLoaded = true;
  }
  page.isParsing = false;
  page.sendAndForget('Runtime.evaluate', { expression: OBSERVE_CHANGES });
}

async function setDocument(page: Page, clock: DocumentClock, source: DocumentSource): Promise<void> {
  page.isParsing = true;
  // Backgrounds, fonts and frames for print are requested only if the medium is print while the document
  // loads.
  page.sendAndForget('Emulation.setEmulatedMedia', { media: source.media });
  const offsetMs = await clock.start(source.epochMs);
  page.sendAndForget('Runtime.evaluate', { expression: formatStartDocument(offsetMs) });
  page.setScripting(source.javascript);
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: source.html });
}
