/** The operations of a PDF library that business documents need. Each operation returns a new file. */
export interface Library {
  name: string;
  setMetadata(pdf: Uint8Array, metadata: Metadata): Promise<Uint8Array>;
  encrypt(pdf: Uint8Array, password: string): Promise<Uint8Array>;
  attach(pdf: Uint8Array, attachment: Attachment): Promise<Uint8Array>;
  merge(pdfs: readonly Uint8Array[]): Promise<Uint8Array>;
}

export interface Metadata {
  title: string;
  language: string;
}

export interface Attachment {
  name: string;
  type: string;
  bytes: Uint8Array;
}

export type Operation = Exclude<keyof Library, 'name'>;
