import { onAbort } from '#concurrency';
import { hash } from 'node:crypto';
import {
  type FailedRequest,
  type FetchResource,
  RESOURCE_FAILURES,
  type Resource,
  type ResourceFailure,
  isFailure,
} from '#browser';
import { isInternal } from './scan-document.ts';
import { type ScannedCss, hasHiddenResource, isMovingImage, scanCss } from './scan-css.ts';

type ResourceKind = 'stylesheet' | 'image' | 'font';

interface StyleSheet {
  /** The URL that its relative URLs are resolved against. */
  url: string;
  css: string;
  scanned: ScannedCss;
}

/** The resources of a document cannot be written into it: it needs the warm lane. */
export class NotInlinableError extends Error {}

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

/** Loads the resources of one document, or of templates, each once. */
export class ResourceLoader {
  /** Everything must be inlined: the texts are templates, which have no other lane. */
  readonly mustInline: boolean;
  /** The resources that could not be loaded. */
  readonly failures: FailedRequest[] = [];
  readonly #fetchResource: FetchResource;
  readonly #signal: AbortSignal;
  readonly #aborted: Promise<ResourceFailure>;
  readonly #fetched = new Map<string, Promise<Resource | ResourceFailure>>();
  #dataBytes = 0;
  #uses = 0;

  /** `signal` cancels what has not been fetched by then. */
  constructor(fetchResource: FetchResource, signal: AbortSignal, options: { mustInline: boolean }) {
    this.#fetchResource = fetchResource;
    this.#signal = signal;
    this.mustInline = options.mustInline;
    this.#aborted = new Promise((resolve) => onAbort(signal, () => resolve(RESOURCE_FAILURES.late)));
  }

  /**
   * Loads a style sheet; null if it cannot be loaded or used. `integrity`: the attribute of its element.
   * Throws NotInlinableError if it needs the warm lane.
   */
  async loadStyleSheet(
    url: string,
    baseUrl: string | null,
    integrity: string | null,
  ): Promise<StyleSheet | null> {
    const resource = await this.#load('stylesheet', url, baseUrl);
    if (resource === null) return null;
    if (resource.body.byteLength > MAX_STYLE_SHEET_BYTES) throw new NotInlinableError('too large');
    const css = decodeStyleSheet(resource);
    const scanned = scanCss(css);
    const failure = findFault(resource, css, integrity);
    if (!this.mustInline && (scanned.isDynamic || failure !== null)) throw new NotInlinableError('dynamic');
    if (failure === null) return { url: resource.url, css, scanned };
    // By the URL before redirects, the failure is found.
    return this.#fail('stylesheet', URL.parse(url, baseUrl ?? undefined)?.href ?? url, failure);
  }

  /** Loads an image or a font as a data: URL; null if it cannot be loaded. Returns a data: URL as it is. */
  async loadDataUrl(kind: 'image' | 'font', url: string, baseUrl: string | null): Promise<string | null> {
    if (isInternal(url)) return url;
    const resource = await this.#load(kind, url, baseUrl);
    if (resource === null) return null;
    const fragment = URL.parse(url, baseUrl ?? undefined)?.hash ?? '';
    const dataUrl = this.toDataUrl(getContentType(resource), resource.body, fragment);
    if (!this.mustInline && isMovingImage(dataUrl)) throw new NotInlinableError('an SVG that moves');
    return dataUrl;
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
    // A style sheet, whose own resources would have to be found.
    if (/^data:/i.test(text) && !this.mustInline) throw new NotInlinableError('a data: style sheet');
    const url = URL.parse(text, baseUrl ?? undefined);
    // A browser requests nothing.
    if (url === null && !URL.canParse(text, ANY_BASE)) return null;
    const outcome = url === null ? RESOURCE_FAILURES.relative : await this.#fetch(kind, url);
    if (isFailure(outcome)) return this.#fail(kind, url?.href ?? text, outcome.failure);
    if (outcome.status >= 200 && outcome.status < 300) return outcome;
    // A browser may show it nevertheless, or follow it.
    if (!this.mustInline) throw new NotInlinableError('an error status');
    return this.#fail(kind, url?.href ?? text, `was answered with status ${outcome.status}`);
  }

  #fail(kind: ResourceKind, url: string, failure: string): null {
    this.failures.push({ url, type: TYPES[kind], failure });
    return null;
  }

  #fetch(kind: ResourceKind, parsed: URL): Promise<Resource | ResourceFailure> {
    if (!/^https?:$/.test(parsed.protocol)) return Promise.resolve(RESOURCE_FAILURES.notHttp);
    const url = parsed.href.slice(0, parsed.href.length - parsed.hash.length);
    const known = this.#fetched.get(url);
    if (known) return known;
    if (this.#fetched.size >= MAX_RESOURCES) throw new NotInlinableError('too many resources');
    const request = { url, method: 'GET', headers: { accept: ACCEPT[kind] } };
    const fetching = Promise.race([this.#fetchResource(request, this.#signal), this.#aborted]);
    this.#fetched.set(url, fetching);
    return fetching;
  }
}

function getContentType({ headers }: Resource): string {
  return headers.find(([name]) => name === 'content-type')?.[1].trim() ?? '';
}

/** Returns why a style sheet is not used, as the end of a sentence; null if it is. */
function findFault(resource: Resource, css: string, integrity: string | null): string | null {
  const contentType = getContentType(resource);
  // In quirks mode a browser uses style sheets of other types from the document's own origin.
  if (contentType !== '' && !/^text\/css\s*(?:;|$)/i.test(contentType)) return 'is not text/css';
  if (integrity !== null && !matchesIntegrity(resource.body, integrity))
    return 'does not match its integrity attribute';
  return hasHiddenResource(css) ? 'has escapes in its at-rules' : null;
}

/**
 * Checks whether a file has the hash of an `integrity` attribute (Subresource Integrity §3.3). A browser
 * decides about several hashes and other algorithms.
 */
export function matchesIntegrity(body: Uint8Array, integrity: string): boolean {
  const algorithm = /^sha(?:256|384|512)(?=-)/.exec(integrity.trim())?.[0];
  return algorithm !== undefined && integrity.trim() === `${algorithm}-${hash(algorithm, body, 'base64')}`;
}

const CHARSET_RULE = /^@charset "(?!utf-16)([^"]{1,40})";/i;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;

/**
 * Decodes a style sheet (CSS Syntax Module Level 3 §3.2): by the Content-Type header, its @charset rule, or
 * as UTF-8, the encoding of documents in requests.
 */
function decodeStyleSheet(resource: Resource): string {
  const { body } = resource;
  const start = Buffer.from(body.subarray(0, 64)).toString('latin1');
  const label = CHARSET_PARAMETER.exec(getContentType(resource))?.[1] ?? CHARSET_RULE.exec(start)?.[1];
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Formats a data: URL (Fetch standard §6). `fragment` begins with "#" or is empty. */
function formatDataUrl(contentType: string, body: Uint8Array, fragment: string): string {
  const type = /^[\w.+-]+\/[\w.+-]+(?:;charset=[\w-]+)?/.exec(contentType)?.[0] ?? 'application/octet-stream';
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  // Without what could end an attribute value or a url() token.
  const escaped = fragment.replace(
    /["'()&\\\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `data:${type};base64,${base64}${escaped}`;
}
