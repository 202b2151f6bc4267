/** The pages of our own making in ./pages: the bytes, how they were answered, and what is to be found in them. */
import { readdirSync, readFileSync } from 'node:fs';
import type { PageDetails, PageHead, PageMetadata } from '#metadata';
import { pageHead } from './describe-bytes.ts';

export interface PageFile {
  name: string;
  bytes: Buffer;
  head: PageHead;
  expected: PageMetadata;
  /** Those details that the page was made to show. */
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
