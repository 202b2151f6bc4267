import { OWN_URL, type Page } from '../pages/page.ts';
import type { DocumentClock } from './document-clock.ts';
import { OBSERVE_CHANGES, formatStartDocument } from './document-start-script.ts';
import type { SuppliedResponse } from '../cdp/cdp-connection.ts';

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

/** Ports that no browser connects to (Fetch standard §2.9, port blocking). */
export const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Opens an empty document at `url`, unless the page is there, so that its content has that URL and origin.
 * The URL is OWN_URL for null and for a port that browsers refuse.
 */
export async function openOrigin(page: Page, url: string | null): Promise<void> {
  const wanted = url === null ? OWN_URL : toDocumentUrl(url);
  if (page.url !== wanted) await page.open(wanted);
}

/** Returns the URL without its fragment: a change of the fragment alone opens no document. */
function toDocumentUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return BLOCKED_PORTS.has(Number(url.port)) && url.port !== '' ? OWN_URL : url.href;
}
