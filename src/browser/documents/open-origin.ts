import { OWN_URL, type Page } from '../pages/page.ts';

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
