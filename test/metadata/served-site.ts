/** A site in memory, for requests that fetch a page and the objects that it names. */
import { ApiError, type ErrorCode } from '#errors';
import {
  type FetchPage,
  type FetchPageRequest,
  getMetadata,
  type GetMetadataRequest,
  type PageEnd,
} from '#metadata';
import { scaledMs } from '../support/patience.ts';

export interface ServedFile {
  body?: string | Buffer;
  type?: string;
  headers?: Record<string, string>;
  status?: number;
  error?: ErrorCode;
  /** The URL after redirects. */
  finalUrl?: string;
  /** Why no more bytes come after the body; default `complete`. */
  end?: PageEnd;
}

export interface ServedSite {
  fetchPage: FetchPage;
  requests: FetchPageRequest[];
  /** The URLs requested after the page. */
  listObjects: () => string[];
}

/** Serves files by URL, in chunks of 1,000 bytes; any other URL is a 404 page. */
export function serveSite(files: Record<string, ServedFile>): ServedSite {
  const requests: FetchPageRequest[] = [];
  const fetchPage: FetchPage = async (request, reader, signal) => {
    requests.push(request);
    signal?.throwIfAborted();
    const { href } = request.url;
    const file = files[href] ?? { status: 404, body: '<h1>Not found</h1>' };
    if (file.error !== undefined) throw new ApiError(file.error);
    const { type = 'text/html', body = '', status = 200, finalUrl = href } = file;
    const bytes = Buffer.from(body);
    const headers = new Map(Object.entries({ 'content-type': type, ...file.headers }));
    const head = { finalUrl, status, headers, redirects: [] };
    let wantsMore = reader.start(head);
    for (let at = 0; wantsMore && at < bytes.length; at += 1_000)
      wantsMore = reader.write(bytes.subarray(at, at + 1_000));
    const visit = { redirects: [], state: null };
    return { head, end: wantsMore ? (file.end ?? 'complete') : 'stopped', visit };
  };
  return { fetchPage, requests, listObjects: () => requests.slice(1).map(({ url }) => url.href) };
}

/** Describes `https://a.example/` of the site, with details. */
export function describeSite(
  { fetchPage }: Pick<ServedSite, 'fetchPage'>,
  options: Partial<GetMetadataRequest> = {},
) {
  const request = {
    url: 'https://a.example/',
    followRedirects: true,
    timeoutMs: scaledMs(10_000),
    details: true,
  };
  return getMetadata({ ...request, ...options }, { fetchPage, client: 'account', now: () => 0 });
}
