/** Fetches what a page names: an icon, an image, an oEmbed response. */
import { ApiError } from '#errors';
import type { FetchPage, PageHead, PageIdentity, PageReader } from '../page/fetch-page.ts';
import { PageBytes } from '../page/page-bytes.ts';
import { type MeasuredImage, measureImage } from '../files/measure-image.ts';

/** The time for one object: a server that does not answer must not use up the time of the next candidate. */
const MAX_TIMEOUT_MS = 4_000;
/** Kept back, so that a request responds with what it has before its own deadline. */
const RESERVE_MS = 100;
/** Each costs a request, and the target chooses them. */
const MAX_REDIRECTS = 3;

interface ObjectRequest {
  url: string;
  /** The Accept header. */
  accept: string;
  /** Bytes of the decoded body; the rest is not read. */
  maxBytes: number;
  /** Returns whether the bytes so far are enough. Called whenever their number has doubled. */
  isEnough?: (bytes: Buffer, headers: ReadonlyMap<string, string>) => boolean;
}

interface FetchedObject {
  finalUrl: string;
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** At most `maxBytes`. */
  bytes: Buffer;
  /** True if the body ended within `maxBytes`. */
  isWhole: boolean;
}

/** The object; `missing`: nothing can be fetched from the URL; `unknown`: no time or no share was left. */
type ObjectOutcome = FetchedObject | 'missing' | 'unknown';

export interface ObjectContext extends PageIdentity {
  fetchPage: FetchPage;
  /** The account that sent the request. */
  client: string;
  /** Returns the time in milliseconds. */
  now: () => number;
  /** The end of the whole request, by `now`. */
  deadline: number;
  signal: AbortSignal;
  /** The addresses that the objects are fetched from; all that the policy permits if it is missing. */
  reach?: 'public' | 'opened';
}

/** Fetches an object through the guard, as a page is fetched. Rejects only with the signal's reason. */
export async function fetchObject(
  object: ObjectRequest,
  { fetchPage, client, now, deadline, signal, language, userAgent, reach }: ObjectContext,
): Promise<ObjectOutcome> {
  const timeoutMs = Math.min(MAX_TIMEOUT_MS, deadline - RESERVE_MS - now());
  if (timeoutMs <= 0) return 'unknown';
  const url = new URL(object.url);
  [url.username, url.password] = ['', ''];
  const reader = new ObjectReader(object);
  const identity = { client, language, userAgent, ...(reach && { reach }) };
  const request = { ...identity, url, followRedirects: true, timeoutMs, accept: object.accept };
  try {
    const { head, end } = await fetchPage({ ...request, maxRedirects: MAX_REDIRECTS }, reader, signal);
    const { finalUrl, status, headers } = head;
    return { finalUrl, status, headers, bytes: reader.bytes, isWhole: end === 'complete' };
  } catch (error) {
    signal.throwIfAborted();
    // A name without an address, a refused address and a host without an answer look the same.
    return error instanceof ApiError && error.code === 'unreachable' ? 'missing' : 'unknown';
  }
}

/** Collects the first bytes of an object. */
class ObjectReader implements PageReader {
  #object: ObjectRequest;
  #body = new PageBytes();
  #headers: ReadonlyMap<string, string> = new Map();
  /** The length at which `isEnough` is called next. */
  #checkAt = 0;

  constructor(object: ObjectRequest) {
    this.#object = object;
  }

  get bytes(): Buffer {
    return this.#body.getBytes();
  }

  start(head: PageHead): boolean {
    this.#headers = head.headers;
    return true;
  }

  write(chunk: Uint8Array): boolean {
    const { maxBytes, isEnough } = this.#object;
    this.#body.append(chunk.subarray(0, maxBytes - this.#body.length));
    if (this.#body.length >= maxBytes) return false;
    if (isEnough === undefined || this.#body.length < this.#checkAt) return true;
    this.#checkAt = 2 * this.#body.length;
    return !isEnough(this.bytes, this.#headers);
  }
}

/** Checks that an image exists, and measures it. */
export interface ProbedImage {
  /** The first candidate that is an image; the first of all if none is known to be one. */
  url: string;
  /** Null if it could not be checked within the deadline or the account's shares. */
  exists: boolean | null;
  /** The media type by the contents; null unless the image exists. */
  type: string | null;
  /** Pixels; null if they are unknown. */
  width: number | null;
  height: number | null;
}

/** Requests for one image: a page may declare any number of candidates. */
const MAX_REQUESTS = 4;
/** Holds the size of nearly all images, also behind large EXIF and color profiles. */
const MAX_BYTES = 131_072;

/** Probes the candidates in order, at most four over the network, until one is an image. Null without any. */
export async function probeImages(
  candidates: readonly string[],
  context: ObjectContext,
): Promise<ProbedImage | null> {
  const [first] = candidates;
  if (first === undefined) return null;
  let requests = 0;
  let isUnknown = false;
  for (const url of candidates) {
    const isData = url.startsWith('data:');
    if (!isData && ++requests > MAX_REQUESTS) break;
    const image = isData ? measureDataUrl(url) : await probe(url, context);
    if (image === 'unknown') isUnknown = true;
    else if (image !== null) return { url, exists: true, ...image };
  }
  return { url: first, exists: isUnknown ? null : false, type: null, width: null, height: null };
}

async function probe(url: string, context: ObjectContext): Promise<MeasuredImage | 'unknown' | null> {
  const measure = (bytes: Buffer, headers: ReadonlyMap<string, string>) =>
    measureImage(bytes, headers.get('content-type') ?? null);
  const outcome = await fetchObject(
    {
      url,
      accept: 'image/*,*/*;q=0.5',
      maxBytes: MAX_BYTES,
      isEnough: (bytes, headers) => (measure(bytes, headers)?.width ?? null) !== null,
    },
    context,
  );
  if (outcome === 'missing') return null;
  if (outcome === 'unknown') return 'unknown';
  const isFound = outcome.status >= 200 && outcome.status < 300;
  return isFound ? measure(outcome.bytes, outcome.headers) : null;
}

/** Measures the image in a data: URL (RFC 2397), or returns null. */
function measureDataUrl(url: string): MeasuredImage | null {
  const comma = url.indexOf(',');
  if (comma < 0) return null;
  const header = url.slice('data:'.length, comma);
  const data = url
    .slice(comma + 1)
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const isBase64 = /;\s*base64\s*$/i.test(header.slice(-20));
  return measureImage(Buffer.from(data, isBase64 ? 'base64' : 'latin1'), header);
}
