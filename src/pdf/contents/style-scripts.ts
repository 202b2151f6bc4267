import { TARGET_COUNTER } from './target-counters.ts';

/** More than the CSS of a request. Further style elements are ignored. */
const MAX_CHARACTERS = 512 * 1024;

/** Selects the style elements that scripts have made: the source's are rewritten already. */
const FIND_STYLES = `
  const styles = [];
  let length = 0;
  for (const style of document.querySelectorAll('style')) {
    const text = style.textContent;
    if (!text.includes('${TARGET_COUNTER}')) continue;
    if ((length += text.length) > ${MAX_CHARACTERS}) break;
    styles.push(style);
  }`;

/** The expression that lists the texts of style elements with target-counter(). */
export const LIST_STYLES = `(() => {${FIND_STYLES}
  return styles.map((style) => style.textContent);
})()`;

/** Parses its value. */
export function parseStyles(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** Formats the expression that replaces these texts. */
export function formatSetStyles(texts: readonly string[]): string {
  return `((texts) => {${FIND_STYLES}
  styles.forEach((style, at) => {
    if (texts[at] !== undefined && texts[at] !== style.textContent) style.textContent = texts[at];
  });
})(${JSON.stringify(texts)})`;
}
