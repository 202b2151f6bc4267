/** A character for private use at the end of Unicode: without a font of its own for it, none has it. */
const NO_CHARACTER = 0x10fffd;
/** Different characters of one document and one font that are checked. */
const MAX_CHECKS = 300;

/**
 * Declares `isMissing(character, font)`: a character without a glyph is drawn like one that no font has. Runs
 * in the isolated world, also if the document's scripts are off.
 */
const DECLARE_CHECK = `
  const SIZE = 48;
  const context = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
    .getContext('2d', { willReadFrequently: true });
  const draw = (text) => {
    context.clearRect(0, 0, SIZE, SIZE);
    context.fillText(text, SIZE / 6, SIZE * 3 / 4);
    return new Uint32Array(context.getImageData(0, 0, SIZE, SIZE).data.buffer);
  };
  const none = String.fromCodePoint(${NO_CHARACTER});
  const boxes = new Map();
  const isMissing = (character, font) => {
    context.font = font;
    if (!boxes.has(font)) boxes.set(font, { width: context.measureText(none).width, pixels: draw(none) });
    const box = boxes.get(font);
    if (context.measureText(character).width !== box.width) return false;
    const pixels = draw(character);
    return box.pixels.every((pixel, index) => pixel === pixels[index]);
  };
`;

/** Formats an expression that returns those of `codePoints` that the font family and its fallbacks lack. */
export function formatGlyphCheck(codePoints: readonly number[], family: string): string {
  return `(() => {
    ${DECLARE_CHECK}
    const font = '24px ' + ${JSON.stringify(family)};
    return ${JSON.stringify(codePoints)}.filter((codePoint) => isMissing(String.fromCodePoint(codePoint), font));
  })()`;
}

/**
 * Formats an expression that returns those of `codePoints` that the document shows without a glyph: in text
 * of an element whose fonts, web fonts included, lack them. `skipsHidden`: elements without a box do not
 * count.
 */
export function formatTextCheck(
  codePoints: readonly number[],
  { skipsHidden }: { skipsHidden: boolean },
): string {
  return `(() => {
    ${DECLARE_CHECK}
    const left = new Set(${JSON.stringify(codePoints)}.map((codePoint) => String.fromCodePoint(codePoint)));
    const checked = new Set();
    const missing = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && left.size > 0 && checked.size < ${MAX_CHECKS}; node = walker.nextNode()) {
      const found = [...left].filter((character) => node.data.includes(character));
      const element = node.parentElement;
      if (found.length === 0 || element === null || element.closest('head,script,style,template,noscript,textarea')) continue;
      if (${skipsHidden} && !element.checkVisibility()) continue;
      const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
      const font = [fontStyle, fontWeight, '24px', fontFamily].join(' ');
      for (const character of found) {
        if (checked.has(character + font)) continue;
        checked.add(character + font);
        if (!isMissing(character, font)) continue;
        left.delete(character);
        missing.push(character.codePointAt(0));
      }
    }
    return missing;
  })()`;
}

/** An expression that returns the characters of the document that may lack a glyph, each once. */
export const UNUSUAL_TEXT = `(() => {
  const text = document.documentElement.textContent;
  return /[^\\u0000-\\u024f]/.test(text) ? [...new Set(text.match(/[^\\u0000-\\u024f]/gu))].join('') : '';
})()`;
