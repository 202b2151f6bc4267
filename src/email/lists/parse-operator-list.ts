import { getPublicSuffix } from 'tldts';
import { runInSlices } from '#concurrency';
import { parseDomain } from '../domain/parse-domain.ts';
import { trimListLine } from './list-entry.ts';
import { iterateLines } from './parse-fetched-list.ts';

/** An operator's list has a line that is wrong, or cannot be read. The message says what and where. */
export class OperatorListError extends Error {
  override name = 'OperatorListError';
}

/** Lines per slice: a few milliseconds. */
const SLICE = 1000;

/**
 * Parses an operator's list: one domain per line, with comments. Rejects with an `OperatorListError` that
 * names the first bad line: a mistake in a list that overrides all others must not pass silently. A private
 * public suffix (`pp.ua`) is accepted and means all domains below it; one like `co.uk` is a mistake.
 */
export async function parseOperatorList(text: string): Promise<ReadonlySet<string>> {
  const lines = iterateLines(text);
  const names = new Set<string>();
  let number = 0;
  await runInSlices(() => {
    for (let count = 0; count < SLICE; count++) {
      const { done, value } = lines.next();
      if (done) return true;
      number++;
      const line = trimListLine(value);
      if (line !== '') names.add(parseLine(line, number));
    }
    return false;
  });
  return names;
}

function parseLine(line: string, number: number): string {
  const domain = parseDomain(line);
  const shown = line.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 80);
  if (typeof domain === 'string')
    throw new OperatorListError(`line ${number}: «${shown}» is not a domain; write one domain per line`);
  if (getPublicSuffix(domain.ascii) === domain.ascii)
    throw new OperatorListError(
      `line ${number}: «${shown}» is a public suffix, under which everyone registers; write the domains below it`,
    );
  return domain.ascii;
}
