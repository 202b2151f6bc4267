import { escapeText } from '#html';

/** The values of the elements that are filled for each page, by their classes, as Chromium fills them. */
interface SheetValues {
  pageNumber: number;
  totalPages: number;
  title: string;
}

/** A template that closes all that it opens, and may be repeated in one document. */
export interface SealedTemplate {
  /** Its style elements: a document needs them once. */
  styles: string;
  /** Its other content: HTML, and the names of the values between it, in turn. */
  pieces: readonly string[];
}

const CLASSES = ['pageNumber', 'totalPages', 'title'] as const satisfies (keyof SheetValues)[];
/** A parser of HTML keeps no such character in text. */
const SEPARATOR = '\u0000';

/**
 * Formats the expression that seals a template: Chromium parses it into a document of its own, which runs and
 * loads nothing, and formats it again. `<b><div></b>` would leave the div open, and `<div><b></div>` would
 * make all that follows bold.
 */
function formatSeal(html: string): string {
  return `(() => {
  const template = document.implementation.createHTMLDocument('').body;
  template.setHTMLUnsafe(${JSON.stringify(html)});
  let styles = '';
  for (const style of template.querySelectorAll('style,link')) {
    styles += style.outerHTML;
    style.remove();
  }
  for (const element of template.querySelectorAll('*')) {
    const name = ${JSON.stringify(CLASSES)}.find((one) => element.classList.contains(one));
    if (name && template.contains(element)) element.textContent = '\\0' + name + '\\0';
  }
  return [styles, template.innerHTML];
})()`;
}

/** Seals a template in a page. Throws CdpError and PageLostError. */
export async function sealTemplate(
  html: string,
  evaluate: (expression: string) => Promise<unknown>,
): Promise<SealedTemplate> {
  if (html.trim() === '') return { styles: '', pieces: [] };
  const sealed = await evaluate(formatSeal(html));
  const [styles, content] = Array.isArray(sealed) ? sealed.map(String) : [];
  return { styles: styles ?? '', pieces: (content ?? '').split(SEPARATOR) };
}

/** Formats the content of a template for one page. */
export function formatPieces({ pieces }: SealedTemplate, values: SheetValues): string {
  const isValue = (at: number): boolean => at % 2 === 1;
  return pieces
    .map((piece, at) => (isValue(at) ? escapeText(String(values[piece as keyof SheetValues])) : piece))
    .join('');
}

/** Checks whether a template differs from page to page. */
export function hasPageNumber({ pieces }: SealedTemplate): boolean {
  return pieces.some((piece, at) => at % 2 === 1 && piece === 'pageNumber');
}
