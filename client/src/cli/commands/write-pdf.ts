import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Pdf } from '../../index.ts';
import { resolveLink } from '../resolve-link.ts';
import type { Session } from '../session.ts';

/**
 * Writes a PDF as it arrives and returns its size. A file is replaced when the PDF is complete, so that one
 * that breaks off leaves no half document.
 */
export async function writePdf(pdf: Pdf, target: string, session: Session): Promise<number> {
  if (target === '-') return copy(pdf, (part) => session.write(part));
  const isReplaced = statSync(target, { throwIfNoEntry: false })?.isFile() ?? true;
  // A link stays one. In a folder that others write to, no one can guess the name of the part.
  const whole = resolveLink(target);
  const path = isReplaced ? `${whole}.${randomUUID()}.part` : target;
  let file: FileHandle | undefined;
  try {
    const opened = (file = await open(path, isReplaced ? 'wx' : 'w'));
    const bytes = await copy(pdf, (part) => opened.writeFile(part));
    await file.close();
    if (isReplaced) renameSync(path, whole);
    return bytes;
  } catch (error) {
    await pdf.cancel().catch(() => {});
    await file?.close().catch(() => {});
    if (isReplaced) rmSync(path, { force: true });
    throw error;
  }
}

async function copy(pdf: Pdf, write: (part: Uint8Array) => Promise<void>): Promise<number> {
  const reader = pdf.stream.getReader();
  let bytes = 0;
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      await write(value);
      bytes += value.length;
    }
    return bytes;
  } finally {
    reader.releaseLock();
  }
}
