/** The results of a list: five kinds, and the CSV file with all of them. */
import type { EmailResult } from './email-result.ts';
import type { AddressList } from './address-list.ts';

/** The kinds of results with their names. */
export const KINDS = {
  valid: { name: 'Valid', tone: 'ok' },
  typo: { name: 'Typo', tone: 'warn' },
  disposable: { name: 'Disposable', tone: 'warn' },
  no_mail_host: { name: 'No mail host', tone: 'bad' },
  invalid: { name: 'Invalid', tone: 'bad' },
} as const;
export type Kind = keyof typeof KINDS;

/** The part of a result that is kept: a list may have 50,000 of them. */
export interface CheckedAddress {
  email: string;
  kind: Kind;
  suggestion: string | null;
  verdict: string;
  score: number | null;
  reasons: string;
}

/** Returns what is kept of the result for the address as it is in the list. */
export function summarize(email: string, result: EmailResult): CheckedAddress {
  return {
    email,
    kind: findKind(result),
    suggestion: result.did_you_mean,
    verdict: result.details?.verdict ?? '',
    score: result.details?.score ?? null,
    reasons: result.details?.reasons.join(' ') ?? '',
  };
}

function findKind(result: EmailResult): Kind {
  if (!result.format_valid) return 'invalid';
  if (!result.valid) return 'no_mail_host';
  if (result.disposable) return 'disposable';
  return result.did_you_mean === null ? 'valid' : 'typo';
}

const ADDED = ['result', 'did_you_mean', 'verdict', 'score', 'reasons'];

/** Returns the list as CSV in pieces, with five more columns. Those of unchecked rows are empty. */
export function formatResultCsv(
  list: AddressList,
  column: number,
  results: ReadonlyMap<string, CheckedAddress>,
): string[] {
  const formatRow = (cells: readonly string[]) => `${cells.map(formatCell).join(',')}\r\n`;
  const pad = (cells: readonly string[]) => list.header.map((_, index) => cells[index] ?? '');
  return [
    // Spreadsheets take a file without this mark for the encoding of the system.
    `\uFEFF${formatRow([...list.header, ...ADDED])}`,
    ...list.rows.map((row) => {
      const found = results.get(row[column]?.trim() ?? '');
      const added = found
        ? [found.kind, found.suggestion ?? '', found.verdict, String(found.score ?? ''), found.reasons]
        : ADDED.map(() => '');
      return formatRow([...pad(row), ...added]);
    }),
  ];
}

/**
 * A spreadsheet runs a cell that starts with one of these as a formula. A quote mark before it makes it text
 * (OWASP, CSV injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

function formatCell(text: string): string {
  const plain = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
