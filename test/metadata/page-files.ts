/** Loads the pages in ./pages: their bytes, the head of their response, and their expected metadata. */
import { readdirSync, readFileSync } from 'node:fs';
import type { PageDetails, PageHead, PageMetadata } from '#metadata';
import { pageHead } from './describe-bytes.ts';

export interface PageFile {
  name: string;
  bytes: Buffer;
  head: PageHead;
  expected: PageMetadata;
  /** The details that the page exists to test. */
  details: Partial<PageDetails>;
}

interface ExpectedJson {
  final_url: string;
  status: number;
  headers: Record<string, string>;
  metadata: Omit<PageMetadata, 'og'> & {
    og: Omit<PageMetadata['og'], 'siteName'> & { site_name: string | null };
  };
  details?: Record<string, unknown>;
}

const FOLDER = new URL('./pages/', import.meta.url);

export function listPages(): PageFile[] {
  return readdirSync(FOLDER).map((name) => {
    const json = readFileSync(new URL(`${name}/expected.json`, FOLDER), 'utf8');
    const { final_url: finalUrl, status, headers, metadata, details = {} } = JSON.parse(json) as ExpectedJson;
    const { site_name: siteName, ...og } = metadata.og;
    return {
      name,
      bytes: readFileSync(new URL(`${name}/input.html`, FOLDER)),
      head: pageHead(finalUrl, headers, status),
      expected: { ...metadata, og: { ...og, siteName } },
      details: Object.fromEntries(Object.entries(details).map(([key, value]) => [camelCase(key), value])),
    };
  });
}

const camelCase = (key: string) => key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
