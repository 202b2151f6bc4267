/** The settings of the operations: metadata, lists of domains, the browser, PDF, request bodies. */
import { optional, setting } from './config-setting.ts';
import { integer, parseBoolean, parseListUrls, parseSlots, parseText } from './config-values.ts';

export const OPERATION_SETTINGS = {
  metaCacheTtlSeconds: setting(
    'META_CACHE_TTL_SECONDS',
    '0–86400',
    integer(0, 86_400),
    '600',
    'How long a metadata result is kept for requests of its account with max_age, in seconds; 0 turns the cache off.',
  ),
  metaRender: setting(
    'META_RENDER',
    'boolean',
    parseBoolean,
    'true',
    'Whether metadata requests may render pages in the browser, in the places of PDF_SLOTS; if false, render=true and render=auto are refused.',
  ),
  disposableListUrls: setting(
    'DISPOSABLE_LIST_URL',
    'URL list',
    parseListUrls,
    '',
    'Lists of disposable domains, separated by commas, fetched daily in addition to the built-in list; if unset, none is fetched.',
  ),
  emailAllowDomainsFile: optional(
    'EMAIL_ALLOW_DOMAINS',
    'file',
    parseText,
    'A file of domains that are never disposable, one per line; read again when it changes.',
  ),
  emailBlockDomainsFile: optional(
    'EMAIL_BLOCK_DOMAINS',
    'file',
    parseText,
    'A file of domains that are always disposable, one per line; read again when it changes.',
  ),
  chromiumPath: optional(
    'CHROMIUM_PATH',
    'file',
    parseText,
    'The Chromium headless shell to use; if unset, an installed one, else the one that npm start unpacked into its cache, else an installed Chrome or Chromium.',
  ),
  chromiumCacheDir: optional(
    'CHROMIUM_CACHE',
    'folder',
    parseText,
    'The folder into which the setup unpacks the browser and fonts; if unset, /var/cache/utility-api or, without root, the user’s cache folder.',
  ),
  pdfSlots: setting(
    'PDF_SLOTS',
    '1–256 or auto',
    parseSlots,
    'auto',
    'Documents for PDF, and pages for metadata with render, that are rendered at once; auto is the number of cores + 2. One account may use all but one.',
  ),
  pdfTimeoutMs: setting(
    'PDF_TIMEOUT_MS',
    '1000–300000',
    integer(1000, 300_000),
    '30000',
    'How long the render of one PDF may take, in milliseconds. The render of a page ends with the timeout of its metadata request.',
  ),
  pdfRendererMemoryMb: setting(
    'PDF_RENDERER_MEMORY_MB',
    '128–65536',
    integer(128, 65_536),
    '1200',
    'Memory that one renderer, of a PDF or a page, may use before it is killed, in megabytes.',
  ),
  pdfRequireSandbox: setting(
    'PDF_REQUIRE_SANDBOX',
    'boolean',
    parseBoolean,
    'false',
    'Whether PDF requests are refused if Chromium cannot run in its sandbox. If false, they are served and a warning is logged.',
  ),
  bodyMemoryMb: setting(
    'BODY_MEMORY_MB',
    '64–4096',
    integer(64, 4096),
    '192',
    'Memory for request bodies in flight, in megabytes; a body that does not fit is refused with 429 or 503, one that never fits with 413.',
  ),
} as const;
