import { findObjectBody, parseObjectTable } from './object-table.ts';

/**
 * Overwrites the dates of a PDF by Chromium (ISO 32000-1 §14.3.3), which has the time at which it printed.
 * `epochMs` is milliseconds since 1970.
 */
export function overwriteDates(pdf: Buffer, epochMs: number): void {
  const table = parseObjectTable(pdf);
  const info = table && findObjectBody(pdf, table, table.infoNumber);
  if (!info) return;
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);
  const date = `(D:${digits}+00'00')`;
  for (const name of ['/CreationDate ', '/ModDate ']) {
    // The title, which is the document's, comes before the dates.
    const at = pdf.lastIndexOf(name, info.to, 'latin1') + name.length;
    if (at > info.from && /^\(D:\d{14}\+00'00'\)$/.test(pdf.toString('latin1', at, at + date.length)))
      pdf.write(date, at, 'latin1');
  }
}
