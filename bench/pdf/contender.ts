/** One way to turn HTML into a PDF. */
export interface Contender {
  name: string;
  /** Prepares the next renders of a document, and is not measured. */
  prepare?(html: string): Promise<void>;
  render(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
  /** Documents that it skips, as they would take minutes. */
  skips?: readonly string[];
}

export const STATIC_LANE = 'our library, static lane';
export const SERVICE = 'the whole service (HTTP)';
