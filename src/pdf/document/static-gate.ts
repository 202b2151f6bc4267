/**
 * Matches what a document may not contain in a page that is reused: what runs, loads, depends on the screen
 * layout, or affects the next document (a Content-Security-Policy, a color-scheme). A text search is enough:
 * a false match costs a fresh page, and a miss costs only fidelity, as scripting is off and nothing can be
 * reached.
 */
const DYNAMIC =
  /<(?:script|iframe|frame|frameset|fencedframe|object|embed|applet|video|audio|canvas|noscript|picture|link|base|portal|template|dialog)(?![a-z])|\b(?:srcset|loading|popover|srcdoc|shadowrootmode)\s*=|http-equiv\s*=\s*(?!["']?content-type)|color-scheme|javascript:|[\s/"']on[a-z]+\s*=|\bautofocus\b/i;

/** Each lane would print an animation at a different moment. */
const MOVING = /\banimation|@keyframes|@starting-style|<animate|<(?:marquee|progress|set)(?![a-z])/i;
/** Colors from attributes of the body remain in the next document. */
const BODY_COLORS = /[\s"'/](?:text|[av]?link)\s*=/i;

/**
 * External resources: url(), src, background … with neither `data:` nor a fragment. No pattern may look far
 * ahead, as a client chooses the text.
 */
const REMOTE_CSS = /url\(\s*(?!["']?(?:data:|#))|@import|image-set\(|\blocal\(/i;
const REMOTE_ATTRIBUTE =
  /[\s"'/](?:src|background|poster|data|xlink:href)\s*=\s*(?!["']?(?:data:|#))|<(?:image|feimage)(?![a-z])/i;
/** CSS escapes can spell these words in other ways. */
const CSS_ESCAPE = /\\[0-9a-f]|\\[iurlmp]/i;

/** Checks whether HTML or css can be rendered without scripting, network and screen layout. */
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
