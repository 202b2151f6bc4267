import type { Page } from '../pages/page.ts';
import { TAKE_ACTIVITY } from './document-start-script.ts';
import { DROP_RELATIVE_LINKS } from './drop-relative-links.ts';
import { FINISH_ANIMATIONS } from './finish-animations.ts';

/**
 * Evaluates what LiveDocument evaluates, in a document that is replaced before the page is used. The first
 * evaluation among the document's own scripts takes longer than the print of an invoice, and the others are
 * compiled.
 */
export async function prepareScripts(page: Page): Promise<void> {
  await page.evaluateInDocument(TAKE_ACTIVITY);
  await page.evaluate(FINISH_ANIMATIONS);
  await page.evaluate(DROP_RELATIVE_LINKS);
}
