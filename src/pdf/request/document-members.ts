/** The documents of a request: their HTML, their sheets and their margins. */
import { ApiError } from '#errors';
import { ALIASES } from './foreign-names.ts';
import {
  type Body,
  checkNoUnknownOptions,
  getMember,
  inPlace,
  isObject,
  parseObjects,
  type MemberRow,
  throwInvalid,
} from '#options';
import { type PageLayout, parsePageSize, parseSheet, SHEET_OPTIONS } from './sheet-members.ts';

/** A document of a request, and its sheet. */
export interface PdfDocument extends PageLayout {
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
}

const MORE = 'more_documents';

/** UTF-8 bytes of all documents of a request together. */
export const MAX_HTML_BYTES = 5_242_880;

/** The options of each of `more_documents`. */
export const DOCUMENT_OPTIONS = {
  html: {
    type: 'string',
    required: true,
    description: 'HTML content of this document.',
    example: '<h1>Terms</h1>',
  },
  ...SHEET_OPTIONS,
} as const;

type Html = Pick<PdfDocument, 'html' | 'htmlBytes'>;

/** Parses the HTML of all documents, in their order. Throws `missing_html`, then `payload_too_large`. */
export function parseHtmls(body: Body): readonly [Html, ...Html[]] {
  const first = parseHtml(body['html'], 'html');
  // An item that is no object has another error, after the errors of HTML.
  const more = listItems(body).map((item, index) =>
    isObject(item) ? parseHtml(item['html'], `${MORE}[${index}].html`) : NO_HTML,
  );
  let bytes = 0;
  for (const [index, { htmlBytes }] of [first, ...more].entries()) {
    bytes += htmlBytes;
    if (bytes > MAX_HTML_BYTES) throwTooLarge(index);
  }
  return [first, ...more];
}

const NO_HTML: Html = { html: '', htmlBytes: 0 };

function listItems(body: Body): readonly unknown[] {
  const items = getMember(body, MORE);
  return Array.isArray(items) ? items : [];
}

function parseHtml(value: unknown, param: string): Html {
  if (typeof value === 'string' && value.trim() !== '')
    return { html: value, htmlBytes: Buffer.byteLength(value, 'utf8') };
  const message = param === 'html' ? undefined : `${param} must be a string that is not blank.`;
  throw new ApiError('missing_html', message, { param });
}

function throwTooLarge(index: number): never {
  const isFirst = index === 0;
  throwInvalid(
    isFirst ? 'html' : `${MORE}[${index - 1}].html`,
    `${isFirst ? 'html' : `html and the html of ${MORE} together`} may have at most 5 MiB (5,242,880 bytes of UTF-8): send ${isFirst ? 'a smaller document' : 'smaller documents'}.`,
    'payload_too_large',
  );
}

/** Checks the page size of each document. Throws `invalid_page_size`. */
export function checkPageSizes(body: Body): void {
  parsePageSize(body);
  for (const [index, item] of listItems(body).entries())
    if (isObject(item)) inPlace(`${MORE}[${index}]`, () => parsePageSize(item));
}

/** Parses the documents that follow the first. Throws `invalid_parameter`. */
export function parseMoreDocuments(body: Body, htmls: readonly Html[], row: MemberRow): PdfDocument[] {
  const items = parseObjects(getMember(body, MORE) ?? [], row, MORE);
  return items.map((item, index) => {
    const place = `${MORE}[${index}]`;
    checkNoUnknownOptions(item, DOCUMENT_OPTIONS, { place, aliases: ALIASES });
    return inPlace(place, () => ({
      ...(htmls[index] as Html),
      ...parseSheet({ ...item, ...inheritSheet(body, item) }),
    }));
  });
}

/** Returns the members of the request that an item leaves out. A page size excludes a width and a height. */
function inheritSheet(body: Body, item: Body): Body {
  const has = (name: string): boolean => getMember(item, name) !== undefined;
  const hasSides = has('page_width') || has('page_height');
  const excluded = (name: string): boolean =>
    name === 'html' ||
    (name === 'page_size' && hasSides) ||
    ((name === 'page_width' || name === 'page_height') && has('page_size'));
  const inherited = Object.keys(DOCUMENT_OPTIONS).filter((name) => !has(name) && !excluded(name));
  return Object.fromEntries(inherited.map((name) => [name, getMember(body, name)]));
}
