/** Fetches the oEmbed response of a page, from a known provider or from where the page says. */
import { workInTurn } from '#concurrency';
import { parseContentType } from '../page/content-type.ts';
import { fetchObject, type ObjectContext } from '../objects/fetch-object.ts';
import type { PageDetails } from '../page/page-metadata.ts';
import { type OembedResponse, parseOembedBody, parseOembedResponse } from './oembed-response.ts';

/** Responses have a few kilobytes. A longer one cannot be parsed, so it is no response. */
const MAX_BYTES = 102_400;
const MAX_REQUESTS = 3;
const ACCEPT = 'application/json+oembed,application/json,text/xml+oembed;q=0.8,text/xml;q=0.8,*/*;q=0.5';

export interface FetchedOembed {
  /** The first response that is valid; null if there is none. */
  response: OembedResponse | null;
  /** False if the deadline or the account's shares left out a response. */
  isComplete: boolean;
}

interface Candidate {
  url: string;
  source: OembedResponse['source'];
}

/** Fetches at most three responses, until one is valid: of a known provider, then the page's links. */
export async function fetchOembed(details: PageDetails, context: ObjectContext): Promise<FetchedOembed> {
  let isComplete = true;
  for (const candidate of await listCandidates(details)) {
    const response = await fetchResponse(candidate, details.finalUrl, context);
    if (response === 'unknown') isComplete = false;
    else if (response !== null) return { response, isComplete: true };
  }
  return { response: null, isComplete };
}

/** A known provider is better than a link of the page: its frames may keep their origin. */
async function listCandidates({ finalUrl, oembed }: PageDetails): Promise<Candidate[]> {
  // The list of providers is loaded at its first use.
  const { findListedEndpoint } = await import('./providers.ts');
  const listed = findListedEndpoint(finalUrl);
  const isJson = ({ type }: { type: string }) => type.includes('json');
  const links = [...oembed.filter(isJson), ...oembed.filter((link) => !isJson(link))];
  const candidates: Candidate[] = [...new Set(links.map(({ url }) => url))].map((url) => ({
    url,
    source: 'link',
  }));
  if (listed !== null) candidates.unshift({ url: listed, source: 'list' });
  return candidates.slice(0, MAX_REQUESTS);
}

async function fetchResponse(
  { url, source }: Candidate,
  pageUrl: string,
  context: ObjectContext,
): Promise<OembedResponse | 'unknown' | null> {
  const outcome = await fetchObject({ url, accept: ACCEPT, maxBytes: MAX_BYTES }, context);
  if (outcome === 'unknown') return 'unknown';
  if (outcome === 'missing' || outcome.status !== 200 || !outcome.isWhole) return null;
  const { bytes, headers } = outcome;
  // Loaded at the first response: it takes longer to load than all else here takes to run.
  const { sanitizeEmbed } = await import('./sanitize-embed.ts');
  return workInTurn(() => {
    const raw = parseOembedBody(bytes, parseContentType(headers.get('content-type'))?.charset ?? null);
    if (raw === null) return null;
    const trustedUrls = source === 'list' ? [url, pageUrl] : [];
    return parseOembedResponse(raw, { url, source }, (html) => sanitizeEmbed(html, trustedUrls));
  });
}
