import { OWN_URL } from '../pages/page.ts';

/**
 * An expression that takes the targets of relative links away from a document without a URL: Chromium would
 * print links to OWN_URL. Links to fragments keep their targets. Frames of the same origin are included.
 *
 * It runs in an isolated world. Elements with names can replace members of `document` even there, so the
 * functions are taken from the prototypes.
 */
export const DROP_RELATIVE_LINKS = `(() => {
  const { createElement } = Document.prototype;
  const getBase = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI').get;
  const getRoot = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get;
  const drop = (frame) => {
    const { document } = frame;
    const root = getRoot.call(document);
    if (root !== null && getBase.call(document).startsWith('${OWN_URL}')) {
      const base = createElement.call(document, 'base');
      base.href = 'about:blank';
      Element.prototype.prepend.call(root, base);
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
