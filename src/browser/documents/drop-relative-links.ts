import { OWN_URL } from '../pages/page.ts';

/**
 * An expression that takes the targets of relative links away from a document without a URL: Chromium would
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
