/**
 * The nonce that lets this page's own style elements through its Content-Security-Policy.
 * The service writes a fresh one into the page's <meta property="csp-nonce"> with every answer.
 */

/** The nonce of this page; empty under the development server, which sends no policy. */
export const styleNonce: string =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// get-nonce, which Mantine's scroll lock asks, reads webpack's global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
