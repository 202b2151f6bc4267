/** Checks that an image exists, and measures it. */
import { fetchObject, type ObjectContext } from '../objects/fetch-object.ts';
import { measureImage, type MeasuredImage } from './measure-image.ts';

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
export function measureDataUrl(url: string): MeasuredImage | null {
  const comma = url.indexOf(',');
  if (comma < 0) return null;
  const header = url.slice('data:'.length, comma);
  const data = url
    .slice(comma + 1)
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const isBase64 = /;\s*base64\s*$/i.test(header.slice(-20));
  return measureImage(Buffer.from(data, isBase64 ? 'base64' : 'latin1'), header);
}
