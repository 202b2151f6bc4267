/** The files and the request of a call of `pdf`. */
import { statSync } from 'node:fs';
import type { PdfRequest } from '../../index.ts';
import { type CommandInput, type FlagValues, getText, getTexts, isOn } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';
import { readText } from './read-text.ts';
import { PDF_FLAGS, readPdfMembers } from './pdf-flags.ts';

/** Returns the path of the PDF; - is standard output. */
export function choosePdfTarget(source: string, { flags, session }: CommandInput): string {
  const name = source.split(/[/\\]/).at(-1) ?? '';
  const target = getText(flags, 'out') ?? (source === '-' ? '-' : `${name.replace(/\.x?html?$/i, '')}.pdf`);
  if (listFiles(source, flags).some((path) => isSameFile(path, target)))
    throw new CliError(
      EXIT.usage,
      `The PDF would replace ${toPlainText(target)}: name another file with -o.`,
    );
  if (target !== '-') return target;
  if (session.stdout.isTTY)
    throw new CliError(EXIT.usage, 'A PDF is not written to a terminal: name a file with -o.');
  if (isOn(flags, 'json'))
    throw new CliError(EXIT.usage, 'With --json, the PDF needs a file: name it with -o.');
  return target;
}

/** True if both paths lead to one file; false for - and for a file that does not exist. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) =>
    path === '-' ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  return Boolean(first?.isFile()) && first?.ino === second?.ino && first?.dev === second?.dev;
}

/** Reads the files of a call and makes the request of its flags. Throws CliError. */
export async function parsePdfFlags(source: string, { flags, session }: CommandInput): Promise<PdfRequest> {
  if (listFiles(source, flags).filter((path) => path === '-').length > 1)
    throw new CliError(EXIT.usage, 'Standard input (-) can be only one of the files.');
  const html = await readText(source, session.stdin);
  if (html.trim() === '')
    throw new CliError(EXIT.usage, `${source === '-' ? 'Standard input' : toPlainText(source)} is empty.`);
  const request: Record<string, unknown> = { html };
  checkPairs(flags);
  const margin = getText(flags, 'margin');
  if (margin !== undefined)
    for (const side of ['top', 'bottom', 'left', 'right']) request[`margin_${side}`] = margin;
  Object.assign(request, await readPdfMembers(flags, session.stdin));
  const { wait_for: wait } = request;
  if (/^\d+$/.test(String(wait))) request['wait_for'] = Number(wait);
  return request as unknown as PdfRequest;
}

/** Refuses a flag without the one that it needs: the service would name the members, not the flags. */
function checkPairs(flags: FlagValues): void {
  const pairs = [
    ['facturx', 'facturx-profile', 'such as EN16931'],
    ['facturx-profile', 'facturx', 'the XML of the invoice'],
    ['data', 'template', 'liquid'],
    ['permissions', 'owner-password-file', 'the password that lifts them'],
    ['watermark-position', 'watermark', 'the HTML of the watermark'],
  ] as const;
  for (const [name, other, value] of pairs)
    if (flags[name] !== undefined && flags[other] === undefined)
      throw new CliError(EXIT.usage, `--${name} needs --${other}, ${value}.`);
}

/** Lists the files that a call reads. */
function listFiles(source: string, flags: FlagValues): string[] {
  const fileFlags = PDF_FLAGS.filter(({ type }) => type === 'file');
  return [source, ...fileFlags.flatMap(({ name }) => getTexts(flags, name))];
}
