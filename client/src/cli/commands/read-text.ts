import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CliError, EXIT } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';

/** Reads a file as UTF-8; - is standard input. Throws CliError for other bytes, which would be lost. */
export async function readText(path: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (path !== '-' && statSync(path).isDirectory())
    throw new CliError(EXIT.file, `${toPlainText(path)} is a folder: name a file.`);
  const bytes = path === '-' ? await buffer(stdin) : await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(
      EXIT.usage,
      `${path === '-' ? 'Standard input' : toPlainText(path)} is not UTF-8: save it as UTF-8.`,
    );
  }
}
