/**
 * The flags of `pdf` that are more than a text: their values are read from files, or are parts of a member.
 */
import type { FlagValues } from '../command.ts';
import { getTexts } from '../command.ts';
import { OPTION_FLAGS } from '../option-flags.gen.ts';
import type { OptionFlag } from '../option-flags.ts';
import {
  parsePermissions,
  readAttachments,
  readData,
  readDocuments,
  readInvoice,
  readPassword,
} from './pdf-files.ts';
import { readText } from './read-text.ts';

export const PDF_FLAGS = OPTION_FLAGS.generatePdf;

type ReadValue = (values: readonly string[], stdin: NodeJS.ReadableStream) => unknown;

/** The values of flags that are no text, by the name of the flag. */
const READERS: Readonly<Record<string, ReadValue>> = {
  more: readDocuments,
  data: readData,
  attach: readAttachments,
  'password-file': readPassword,
  'owner-password-file': readPassword,
  permissions: parsePermissions,
  facturx: readInvoice,
  'facturx-profile': ([profile]) => ({ profile }),
};

/** Returns the members that the flags set. Flags of one member set its parts. Throws CliError. */
export async function readPdfMembers(
  flags: FlagValues,
  stdin: NodeJS.ReadableStream,
): Promise<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const flag of PDF_FLAGS) {
    if (flags[flag.name] === undefined) continue;
    const value = await readValue(flag, flags, stdin);
    const isPart = flag.option === 'facturx';
    members[flag.option] = isPart ? { ...(members[flag.option] as object), ...(value as object) } : value;
  }
  return members;
}

async function readValue(
  { name, type }: OptionFlag,
  flags: FlagValues,
  stdin: NodeJS.ReadableStream,
): Promise<unknown> {
  const read = READERS[name];
  if (read !== undefined) return read(getTexts(flags, name), stdin);
  if (type === 'boolean') return !name.startsWith('no-');
  return type === 'file' ? readText(String(flags[name]), stdin) : flags[name];
}
