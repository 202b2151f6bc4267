import { onAbort } from '#concurrency';
import { hash } from 'node:crypto';
import {
  type FailedRequest,
  type FetchResource,
  RESOURCE_FAILURES,
  type Resource,
  type ResourceFailure,
  findStatusFailure,
  isFailure,
} from '#browser';
import { rewriteTargetCounters } from '../contents/target-counters.ts';
import { decodeDataUrl, formatDataUrl } from './data-url.ts';
import { isInternal } from './scanned-document.ts';
import { type ScannedCss, scanCss, hasHiddenResource } from './scan-css.ts';

type ResourceKind = 'stylesheet' | 'image' | 'font';

interface StyleSheet {
  /** The URL that its relative URLs are resolved against. */
  url: string;
  css: string;
  scanned: ScannedCss;
}

/**
 * The resources of a document cannot be written into it: a style sheet has something that needs a page of its
 * own, or there are too many. A browser loads only what it shows.
 */
export class NotInlinableError extends Error {}

/** A style sheet that is not used. */
const EMPTY_SHEET: StyleSheet = { url: 'about:blank', css: '', scanned: scanCss('') };

const MAX_RESOURCES = 64;
/** Uses of resources, also of the same one and of those that fail. */
const MAX_USES = 1_000;
const MAX_DATA_BYTES = 8 * 1024 * 1024;
/** A style sheet is scanned at 20 MB/s and more. */
const MAX_STYLE_SHEET_BYTES = 384 * 1024;

/** A URL that is not valid against this base is not valid at all. */
const ANY_BASE = 'http://document.invalid/';

/** The Accept headers of Chromium. */
const ACCEPT: Record<ResourceKind, string> = {
  stylesheet: 'text/css,*/*;q=0.1',
  image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  font: '*/*',
};

const TYPES = { stylesheet: 'Stylesheet', image: 'Image', font: 'Font' } as const;

/** Loads the resources of one document, each once. */
export class ResourceLoader {
  /** The resources that could not be loaded. */
  readonly failures: FailedRequest[] = [];
  /** The counter styles of the page numbers that style sheets show. */
  readonly counterStyles = new Set<string>();
  readonly #fetchResource: FetchResource;
  readonly #signal: AbortSignal;
  readonly #mustInline: boolean;
  readonly #aborted: Promise<ResourceFailure>;
  readonly #fetched = new Map<string, Promise<Resource | ResourceFailure>>();
  #dataBytes = 0;
  #uses = 0;

  /**
   * `signal` cancels what has not been fetched by then. `mustInline` replaces a style sheet that cannot be
   * inlined with an empty one.
   */
  constructor(fetchResource: FetchResource, signal: AbortSignal, options?: { mustInline: boolean }) {
    this.#fetchResource = fetchResource;
    this.#signal = signal;
    this.#mustInline = options?.mustInline ?? false;
    this.#aborted = new Promise((resolve) => onAbort(signal, () => resolve(RESOURCE_FAILURES.late)));
  }

  /** Returns a fetcher that fetches nothing a second time: for a document that cannot be inlined. */
  reuse(fetchResource: FetchResource): FetchResource {
    return (request, signal) => {
      const fetched = request.method === 'GET' ? this.#fetched.get(request.url) : undefined;
      return fetched ?? fetchResource(request, signal);
    };
  }

  /**
   * Loads a style sheet; null if it cannot be loaded, or the browser would not use it. `integrity`: the
   * attribute of its element.
   */
  async loadStyleSheet(
    url: string,
    baseUrl: string | null,
    integrity: string | null,
  ): Promise<StyleSheet | null> {
    const sheet = await this.#loadStyleSheet(url, baseUrl, integrity);
    if (!this.#mustInline) return sheet;
    return sheet ?? EMPTY_SHEET;
  }

  async #loadStyleSheet(
    url: string,
    baseUrl: string | null,
    integrity: string | null,
  ): Promise<StyleSheet | null> {
    const resource = await this.#load('stylesheet', url, baseUrl);
    if (resource === null || !isSuccess(resource)) return null;
    // Before redirects: by it, the failure is found.
    const writtenUrl = URL.parse(url, baseUrl ?? undefined)?.href ?? url;
    const contentType = getContentType(resource);
    // In quirks mode a browser uses style sheets of the document's own origin.
    if (contentType !== '' && !/^text\/css\s*(?:;|$)/i.test(contentType))
      return this.#refuseSheet(writtenUrl, 'is not text/css');
    if (resource.body.byteLength > MAX_STYLE_SHEET_BYTES) throw new NotInlinableError('too large');
    if (integrity !== null && !matchesIntegrity(resource.body, integrity))
      return this.#refuseSheet(writtenUrl, 'does not match its integrity attribute');
    const css = rewriteTargetCounters(decodeStyleSheet(resource.body, contentType), this.counterStyles);
    const scanned = scanCss(css);
    if (scanned.isDynamic && !this.#mustInline) throw new NotInlinableError('dynamic');
    if (hasHiddenResource(css)) return this.#refuseSheet(writtenUrl, 'has escapes in its at-rules');
    return { url: resource.url, css, scanned };
  }

  #refuseSheet(url: string, failure: string): null {
    if (!this.#mustInline) throw new NotInlinableError(failure);
    this.failures.push({ url, type: TYPES.stylesheet, failure });
    return null;
  }

  /** Loads an image or a font as a data: URL; null if it cannot be loaded. Returns a data: URL as it is. */
  async loadDataUrl(kind: 'image' | 'font', url: string, baseUrl: string | null): Promise<string | null> {
    if (isInternal(url)) return url;
    const resource = await this.#load(kind, url, baseUrl);
    // An image is shown whatever the status.
    if (resource === null || (kind === 'font' && !isSuccess(resource))) return null;
    return this.toDataUrl(
      getContentType(resource),
      resource.body,
      URL.parse(url, baseUrl ?? undefined)?.hash ?? '',
    );
  }

  /**
   * Throws NotInlinableError if one of these images was loaded: Chromium prefers a candidate that it has, if
   * its density is higher.
   */
  refuseLoaded(urls: readonly string[], baseUrl: string | null): void {
    if (urls.some((url) => this.#fetched.has(withoutFragment(URL.parse(url, baseUrl ?? undefined)))))
      throw new NotInlinableError('an image that is loaded by another element');
  }

  /** Throws NotInlinableError for a failure that would perhaps be none in a browser. */
  refuseFailure(): void {
    if (!this.#mustInline) throw new NotInlinableError('a font that may not be needed');
  }

  /** Formats a data: URL. Throws NotInlinableError if the document would become too large. */
  toDataUrl(contentType: string, body: Uint8Array, fragment: string): string {
    this.#dataBytes += body.byteLength;
    if (this.#dataBytes > MAX_DATA_BYTES) throw new NotInlinableError('too much data');
    return formatDataUrl(contentType, body, fragment);
  }

  async #load(kind: ResourceKind, text: string, baseUrl: string | null): Promise<Resource | null> {
    this.#uses += 1;
    if (this.#uses > MAX_USES) throw new NotInlinableError('too many uses of resources');
    const data = decodeDataUrl(text);
    if (data !== null) return data;
    const url = URL.parse(text, baseUrl ?? undefined);
    // A browser requests nothing.
    if (url === null && !URL.canParse(text, ANY_BASE)) return null;
    const outcome = url === null ? RESOURCE_FAILURES.relative : await this.#fetch(kind, url);
    const failed = isFailure(outcome) ? outcome : findStatusFailure(outcome);
    if (!isFailure(outcome) && outcome.status >= 300 && outcome.status < 400)
      throw new NotInlinableError('a redirect that the fetcher does not follow');
    if (failed) this.failures.push({ url: url?.href ?? text, type: TYPES[kind], failure: failed.failure });
    return isFailure(outcome) ? null : outcome;
  }

  #fetch(kind: ResourceKind, parsed: URL): Promise<Resource | ResourceFailure> {
    if (!/^https?:$/.test(parsed.protocol)) return Promise.resolve(RESOURCE_FAILURES.notHttp);
    const url = withoutFragment(parsed);
    const known = this.#fetched.get(url);
    if (known) return known;
    if (this.#fetched.size >= MAX_RESOURCES) throw new NotInlinableError('too many resources');
    const request = { url, method: 'GET', headers: { accept: ACCEPT[kind] } };
    const fetching = Promise.race([this.#fetchResource(request, this.#signal), this.#aborted]);
    this.#fetched.set(url, fetching);
    return fetching;
  }
}

function withoutFragment(url: URL | null): string {
  return url === null ? '' : url.href.slice(0, url.href.length - url.hash.length);
}

function isSuccess({ status }: Resource): boolean {
  return status >= 200 && status < 300;
}

function getContentType({ headers }: Resource): string {
  return headers.find(([name]) => name === 'content-type')?.[1].trim() ?? '';
}

const TOKEN = /^(?<algorithm>sha256|sha384|sha512)-(?<digest>[A-Za-z0-9+/]{43,86}={0,2})(?:\?.*)?$/;
/** A token that Chromium may check; it passes over any other. */
const CHECKED = /^(?:sha-?(?:256|384|512)|ed25519)/i;

/**
 * Checks whether a file is the one of an `integrity` attribute (Subresource Integrity §3.3): by its strongest
 * hashes. Any file is if there are none. Returns false if there is a hash in a form that is not known here.
 */
export function matchesIntegrity(body: Uint8Array, integrity: string): boolean {
  const tokens = integrity.split(/[\t\n\f\r ]+/).filter((token) => CHECKED.test(token));
  if (tokens.length === 0) return true;
  const hashes = tokens.map((token) => TOKEN.exec(token)?.groups);
  const algorithms = hashes.map((one) => one?.['algorithm'] ?? '');
  const strongest = algorithms.toSorted().at(-1) ?? '';
  if (algorithms.includes('')) return false;
  const digest = hash(strongest, body, 'base64');
  return hashes.some((one) => one?.['algorithm'] === strongest && one['digest'] === digest);
}

const CHARSET_RULE = /^@charset "([^"]{1,40})";/;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;

/**
 * Decodes a style sheet (CSS Syntax Module Level 3 §3.2): by its byte order mark, the Content-Type header,
 * its @charset rule, or as UTF-8, the encoding of documents in requests.
 */
function decodeStyleSheet(body: Uint8Array, contentType: string): string {
  const decoder =
    findByteOrderMark(body) ?? CHARSET_PARAMETER.exec(contentType)?.[1] ?? findCharsetRule(body);
  return createDecoder(decoder).decode(body);
}

function findByteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function findCharsetRule(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, 64)).toString('latin1');
  const label = CHARSET_RULE.exec(start)?.[1];
  // The rule itself is in an encoding that extends ASCII.
  return label !== undefined && /^utf-16/i.test(label) ? 'utf-8' : label;
}

function createDecoder(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
