import { CdpError } from '../browser-errors.ts';
import type { Page } from '../pages/page.ts';

/** The document of a page as it is now. */
export interface ReadDocument {
  /** Its URL, which its scripts can change within its origin. */
  url: string;
  /** Its markup: of the whole document, or of its head alone if the whole is larger than 2 MiB as JSON. */
  html: string;
}

/**
 * Reads the document of a page. No function of the page is called: its scripts may have replaced all of them,
 * and elements with the name of a property hide it from scripts. Throws CdpError if the head is too large.
 */
export async function readDocument(page: Page): Promise<ReadDocument> {
  const { root } = await page.send('DOM.getDocument', { depth: 1 });
  const url = root.documentURL ?? '';
  try {
    const { outerHTML } = await page.send('DOM.getOuterHTML', { nodeId: root.nodeId });
    return { url, html: outerHTML };
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
  }
  const { nodeId } = await page.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'head' });
  const { outerHTML } = await page.send('DOM.getOuterHTML', { nodeId });
  const attributes = root.children?.find(({ nodeName }) => nodeName.toLowerCase() === 'html')?.attributes;
  return { url, html: `<html${formatLanguage(attributes ?? [])}>${outerHTML}</html>` };
}

/** Returns the attribute `lang` of a list of names and values, which alternate. */
function formatLanguage(attributes: readonly string[]): string {
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'lang');
  const language = at < 0 ? '' : (attributes[at + 1] ?? '');
  return /^[\w-]{1,100}$/.test(language) ? ` lang="${language}"` : '';
}
