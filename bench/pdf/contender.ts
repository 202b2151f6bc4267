/** A document to print. */
export interface BenchDocument {
  html: string;
  /** The same document with its resources written into it, if it has any. */
  inlined?: string;
}

/** One way to turn HTML into a PDF. */
export interface Contender {
  name: string;
  /** Prepares the next renders of a document, and is not measured. */
  prepare?(html: string): Promise<void>;
  render(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
  /** It fetches nothing: it prints documents with their resources inlined. */
  isOffline?: boolean;
  /** Documents that it skips, as they would take minutes. */
  skips?: readonly string[];
}

export const STATIC_LANE = 'our library, static lane';
export const SERVICE = 'the whole service (HTTP)';
