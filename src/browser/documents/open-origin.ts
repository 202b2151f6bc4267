import { OWN_URL, type Page } from '../pages/page.ts';
import { BLOCKED_PORTS } from './blocked-ports.ts';

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
