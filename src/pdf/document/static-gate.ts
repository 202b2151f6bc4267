/**
 * What a document may not contain to be rendered in a page that is used again: whatever runs, loads, depends on the screen
 * layout, or leaks into the next document (a Content-Security-Policy, a color-scheme). Read with plain text search on purpose:
 * a false alarm costs a fresh page, and a miss costs fidelity but nothing else, as scripts are off and nothing is reachable.
 */
const DYNAMIC =
  /<(?:script|iframe|frame|frameset|fencedframe|object|embed|applet|video|audio|canvas|noscript|picture|link|base|portal|template|dialog)(?![a-z])|\b(?:srcset|loading|popover|srcdoc|shadowrootmode)\s*=|http-equiv\s*=\s*(?!["']?content-type)|color-scheme|javascript:|[\s/"']on[a-z]+\s*=|\bautofocus\b/i;

/** What moves is caught at another moment in each lane. */
const MOVING = /\banimation|@keyframes|@starting-style|<animate|<(?:marquee|progress|set)(?![a-z])/i;
/** Colours of the body's attributes outlive the document that set them. */
const BODY_COLORS = /[\s"'/](?:text|[av]?link)\s*=/i;

/** A resource from elsewhere: url(), src, background … that is neither `data:` nor a fragment. None of these patterns may look far ahead: a caller chooses the text. */
const REMOTE_CSS = /url\(\s*(?!["']?(?:data:|#))|@import|image-set\(|\blocal\(/i;
const REMOTE_ATTRIBUTE =
  /[\s"'/](?:src|background|poster|data|xlink:href)\s*=\s*(?!["']?(?:data:|#))|<(?:image|feimage)(?![a-z])/i;
/** An escape in CSS can spell any of these words otherwise. */
const CSS_ESCAPE = /\\[0-9a-f]|\\[iurlmp]/i;

/** Whether this source (HTML, or css of the request) can be rendered without scripting, network or screen layout. */
export function isStatic(source: string): boolean {
  return (
    !DYNAMIC.test(source) &&
    !MOVING.test(source) &&
    !BODY_COLORS.test(source) &&
    !REMOTE_CSS.test(source) &&
    !REMOTE_ATTRIBUTE.test(source) &&
    !CSS_ESCAPE.test(source)
  );
}
