/** Lists the HTML pages in folders, each content once. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface RealPage {
  /** Its path, relative to the folder. */
  name: string;
  bytes: Buffer;
}

const PAGE_FILE = /\.(?:html?|xhtml|testhtml|html\.gz)$/i;
/** Fragments of pages, such as the expected text of an article, are no pages. */
const PAGE_START = /<!doctype html|<html[\s>]|<head[\s>]/i;
const PAGE_START_BYTES = 4_096;
const MIN_BYTES = 1_024;
const MAX_BYTES = 16 * 1_024 * 1_024;

/** Yields the pages in `folder`. `seen` has the digests of those yielded before, also of other folders. */
export function* listRealPages(folder: string, seen: Set<string>): Generator<RealPage> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !PAGE_FILE.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readPage(path);
    if (bytes === null || !isPage(bytes)) continue;
    const digest = createHash('sha256').update(bytes).digest('base64');
    if (seen.has(digest)) continue;
    seen.add(digest);
    yield { name: relative(folder, path), bytes };
  }
}

function readPage(path: string): Buffer | null {
  const bytes = readFileSync(path);
  if (!path.endsWith('.gz')) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    return null;
  }
}

function isPage(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, PAGE_START_BYTES);
  return (
    bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && PAGE_START.test(start.replaceAll('\0', ''))
  );
}
