import { OWN_URL, type Page } from '../pages/page.ts';
import { TAKE_ACTIVITY } from './document-start-script.ts';
import { DROP_FOCUS, FINISH_ANIMATIONS } from './finish-animations.ts';

/**
 * Evaluates the expressions of LiveDocument in a document that is replaced before the page is used: the first
 * evaluation among the document's own scripts takes longer than printing an invoice, and the other
 * expressions are then compiled.
 */
export async function prepareScripts(page: Page): Promise<void> {
  await page.evaluateInDocument(TAKE_ACTIVITY);
  await page.evaluate(FINISH_ANIMATIONS);
  await page.evaluate(DROP_FOCUS);
  await page.evaluate(DROP_RELATIVE_LINKS);
  await page.showFrame();
}

/**
 * An expression that removes the targets of relative links from a document without a URL: Chromium would
 * print links to OWN_URL. Links to fragments keep their targets. Frames of the same origin are included.
 */
export const DROP_RELATIVE_LINKS = `(() => {
  const drop = (frame) => {
    const { document } = frame;
    if (document.baseURI.startsWith('${OWN_URL}')) {
      const base = document.createElement('base');
      base.href = 'about:blank';
      document.documentElement?.prepend(base);
    }
    for (let at = 0; at < frame.length; at += 1) {
      try {
        drop(frame[at]);
      } catch {
        // A frame of another origin has a URL.
      }
    }
  };
  drop(window);
})()`;
