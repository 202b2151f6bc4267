/** The values of flags of `pdf` that are more than a text: parts of the request that are made of files. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { PdfAttachment, PdfDocument } from '../../index.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';
import { readText } from './read-text.ts';

/** Media types of usual attachments, by their extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'text/xml',
  '.zip': 'application/zip',
};

type Paths = readonly string[];

export async function readDocuments(paths: Paths, stdin: NodeJS.ReadableStream): Promise<PdfDocument[]> {
  return Promise.all(paths.map(async (path) => ({ html: await readText(path, stdin) })));
}

export async function readAttachments(paths: Paths): Promise<PdfAttachment[]> {
  return Promise.all(paths.map(readAttachment));
}

async function readAttachment(path: string): Promise<PdfAttachment> {
  if (path === '-') throw new CliError(EXIT.usage, 'An attachment has a name: name a file with --attach.');
  if (statSync(path).isDirectory())
    throw new CliError(EXIT.file, `${toPlainText(path)} is a folder: name a file.`);
  const bytes = await readFile(path);
  const mediaType = MEDIA_TYPES[extname(path).toLowerCase()];
  return {
    name: basename(path),
    base64: bytes.toString('base64'),
    ...(mediaType === undefined ? {} : { media_type: mediaType }),
  };
}

export async function readData(
  [path = '']: Paths,
  stdin: NodeJS.ReadableStream,
): Promise<Record<string, unknown>> {
  const text = await readText(path, stdin);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new CliError(
      EXIT.usage,
      `${path === '-' ? 'Standard input' : toPlainText(path)} is not JSON: ${toPlainText((error as Error).message)}.`,
    );
  }
}

export async function readInvoice(
  [path = '']: Paths,
  stdin: NodeJS.ReadableStream,
): Promise<{ xml: string }> {
  return { xml: await readText(path, stdin) };
}

/** Reads a password from a file: other users of a machine can see the flags of a process. */
export async function readPassword([path = '']: Paths, stdin: NodeJS.ReadableStream): Promise<string> {
  return (await readText(path, stdin)).replace(/\r?\n$/, '');
}

/** Parses `print,copy`; `none` allows nothing. */
export function parsePermissions([list = '']: Paths): string[] {
  const names = list.split(',').map((name) => name.trim().replaceAll('-', '_'));
  return names.filter((name) => name !== '' && name !== 'none');
}
