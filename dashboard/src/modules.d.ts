/** Types of imports that the build resolves. */
declare module 'virtual:scalar' {
  /** The address of Scalar's script. */
  const url: string;
  export default url;
}

declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist';
}

declare module '*.webp' {
  /** The address of the picture. */
  const url: string;
  export default url;
}

declare module 'virtual:password-words' {
  import type { OptionsDictionary, OptionsGraph, TranslationKeys } from '@zxcvbn-ts/core';

  export const dictionary: OptionsDictionary;
  export const graphs: OptionsGraph;
  export const translations: TranslationKeys;
}
