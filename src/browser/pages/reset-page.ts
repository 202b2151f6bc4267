import { resolvesWithin } from '#concurrency';
import { CdpError } from '../browser-errors.ts';
import { OWN_URL, type Page } from './page.ts';

/**
 * The time by which the clock of a renderer may be ahead. `Date` of its next document is set back by it, but
 * not that of its workers.
 */
const MAX_LEAD_MS = 60_000;
/** Chromium ignores `pushState` and its like after 200 calls in ten seconds, whichever document made them. */
const MAX_HISTORY_CHANGES = 20;

/**
 * An expression that empties the storage of a document that cannot write to it any more: what its scripts
 * wrote reaches the browser before this does.
 */
const CLEAR_STORAGE = 'sessionStorage.clear(); localStorage.clear()';
/** An expression that sets back what a window keeps from document to document (HTML standard §7.2.2). */
const RESET_WINDOW =
  "window.name = ''; history.scrollRestoration = 'auto'; if (history.state !== null) history.replaceState(null, '')";

/** An expression that lists the languages of a document that select fonts for Han characters. */
const LIST_HAN_LANGUAGES = `Array.from(document.querySelectorAll('[lang]'), (element) => element.getAttribute('lang').toLowerCase())
  .filter((language) => /^(?:ja|ko|zh)(?:-|$)|-(?:hans|hant|jpan|kore|hk|jp|kr|mo|tw)(?:-|$)/.test(language))`;

/** The use of a page for further documents of the same owner. */
export interface PageReuse {
  ownerId: string;
  /** After a large document the page is not used again. */
  documentBytes: number;
  /**
   * `content`: the document is replaced by the content of the next one. `document`: it changes something that
   * the next one would inherit. `realm`: it had scripts, resources or frames.
   */
  leaves: 'content' | 'document' | 'realm';
  /** The language of the document that selects fonts for Han characters, as far as its source shows it. */
  hanLanguage?: string | null;
}

/** A page that does not open an empty document in this time is busy with the document before. */
const MAX_RELEASE_MS = 2_000;

/** Removes the state of a document. Resolves with false if it is not certain that all of it is gone. */
export async function removeState(page: Page, reuse: PageReuse, nowMs: number): Promise<boolean> {
  if (reuse.leaves === 'content' || page.lossReason !== null) return true;
  const removing =
    reuse.leaves === 'document' ? page.open(OWN_URL) : resetPage(page, reuse.hanLanguage ?? null, nowMs);
  return resolvesWithin(removing, MAX_RELEASE_MS);
}

/**
 * Replaces the document of a page with an empty one in a realm of its own, and removes what it stored.
 * Rejects if something may be left: the page must not be used again then.
 */
async function resetPage(page: Page, hanLanguage: string | null, nowMs: number): Promise<void> {
  const reason = findReason(page, nowMs);
  if (reason !== null) throw new CdpError(reason);
  const { origin } = new URL(page.url);
  // From here on no script of the document runs, not even while it is unloaded.
  page.setScripting(false);
  const languages = (await page.evaluate(`${CLEAR_STORAGE}; ${LIST_HAN_LANGUAGES}`)) as string[];
  if (languages.some((language) => language !== hanLanguage))
    throw new CdpError('its fonts are those of another language');
  // The events of all changes have arrived before the answer above.
  if (page.historyChanges > MAX_HISTORY_CHANGES) throw new CdpError('its history was changed too often');
  // Before the next document: it would hear of it (Chromium 156).
  await page.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.open(OWN_URL);
  page.setScripting(true);
  await Promise.all([
    page.send('Network.clearBrowserCookies'),
    page.send('Page.resetNavigationHistory'),
    // A renderer keeps scripts, style sheets and images by their URLs. This evicts them.
    page.send('Network.setCacheDisabled', { cacheDisabled: true }),
    page.send('Network.setCacheDisabled', { cacheDisabled: false }),
    page.evaluate(RESET_WINDOW),
  ]);
}

/** Returns why a page cannot be used again; null if it can. */
function findReason({ workers, hasForeignFrames, hasTransitions, time }: Page, nowMs: number): string | null {
  if (workers.count > 0) return 'its workers run';
  if (hasTransitions) return 'the browser may still show its transition';
  if (hasForeignFrames) return 'its frames may have stored something';
  if (time.hasUnspentBudget) return 'its time did not pass';
  return time.getLeadMs(nowMs) > MAX_LEAD_MS ? 'its clock is ahead' : null;
}
