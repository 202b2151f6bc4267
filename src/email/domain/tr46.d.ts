/** The part of tr46 (UTS #46) that this module uses; the package ships no types. */
declare module 'tr46' {
  export interface Uts46Options {
    checkHyphens?: boolean;
    checkBidi?: boolean;
    checkJoiners?: boolean;
    useSTD3ASCIIRules?: boolean;
    verifyDNSLength?: boolean;
    transitionalProcessing?: boolean;
    ignoreInvalidPunycode?: boolean;
  }
  export function toASCII(domain: string, options?: Uts46Options): string | null;
  export function toUnicode(domain: string, options?: Uts46Options): { domain: string; error: boolean };
}
