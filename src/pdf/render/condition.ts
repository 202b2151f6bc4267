import { removeCredentials } from '../warnings/remove-credentials.ts';

const MAX_SHOWN = 80;

/** A condition that the document has to fulfill. */
export interface Condition {
  member: 'wait_for' | 'wait_for_expression';
  /** The beginning of the error's message if the condition does not hold in time: "No element matched". */
  failure: string;
  /** Further sentences of that message, each after a space. */
  getHint: () => string;
  /** Throws ApiError if the condition cannot be evaluated. */
  holds: () => Promise<boolean>;
}

/** Quotes the beginning of a client's text. */
export function quote(text: string): string {
  return JSON.stringify(toPlainText(text, MAX_SHOWN));
}

/** Returns the beginning of a text for a message, without control characters and passwords. */
export function toPlainText(text: string, maxCharacters: number): string {
  const plain = removeCredentials(text.replace(/\p{Cc}+/gu, ' ')).toWellFormed();
  return plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}…`.toWellFormed() : plain;
}
