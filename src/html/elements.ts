/** The elements that both scanners treat alike, by name in lower case. */

/** Elements that have no end tag, with those of old standards that parsers still know. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/**
 * Elements whose content is text up to their own end tag, with scripting off (WHATWG HTML §13.2.6.4): they
 * have no child elements.
 */
export const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'title textarea style xmp iframe noembed noframes script'.split(' '),
);
