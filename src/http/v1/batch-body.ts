/** The bodies of the batches, and the rules that they have in common. */
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { EMAIL_OPTIONS, type ValidateEmailRequest } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionRow, OptionValues } from '#options';
import { prefersLines } from '../accept.ts';
import type { JsonLimits } from '../wire/json/body-limits.ts';
import { type BodyFormat, describeType } from '../wire/json/body-format.ts';
import { createOptionMaker, invalid, parseMembers } from './operation-options.ts';

/**
 * Returns the limits of a body whose member `name` is a list. Up to `values` of them, a list that is too long
 * or has wrong types is parsed and gets the error that says so.
 */
function limitList(name: string, values: number): JsonLimits {
  return {
    members: 1_000,
    byMember: { [name]: { depth: 16, values } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  };
}

/** Checks that the member `name` is a list of 1 to `max` strings. Throws `invalid_parameter` if not. */
function parseTexts(name: string, value: unknown, max: number): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max)
    throw invalid(name, `${name} must be a list of 1 to ${max} strings.`);
  const texts: unknown[] = value;
  const wrong = texts.findIndex((text) => typeof text !== 'string');
  if (wrong < 0) return value as string[];
  throw invalid(
    `${name}[${wrong}]`,
    `${name}[${wrong}] must be a string: it is ${describeType(texts[wrong])}.`,
  );
}

/**
 * Throws `invalid_parameter` if `member` has more `items` (addresses, URLs) than its caller may send requests
 * in a minute.
 */
export function checkBatchSize(
  member: string,
  items: string,
  count: number,
  { caller }: FastifyRequest,
): void {
  const limit = caller?.limitPerMinute ?? 0;
  if (count <= limit) return;
  throw invalid(
    member,
    `${member} has ${count} ${items}, more than the ${limit} requests a minute of your plan: send fewer at a time.`,
  );
}

/**
 * Returns whether the results are sent as lines. Throws `invalid_parameter` if they are in no order and the
 * request does not prefer lines.
 */
export function checkAcceptsLines({ headers }: FastifyRequest, isOrdered: boolean): boolean {
  const isLines = prefersLines(headers.accept);
  if (isOrdered || isLines) return isLines;
  throw invalid(
    'order',
    'order=false needs the header Accept: application/x-ndjson, with no other type before it.',
  );
}

/** The order of the lines is an option of a batch alone. */
const createOrder = (items: string, item: string): OptionRow => ({
  type: 'boolean',
  default: true,
  description: `Whether the lines are in the order of the ${items}. With false, each is sent as soon as it is known${item}; only with application/x-ndjson.`,
  example: false,
  isInTools: false,
});

export const MAX_EMAILS = 1000;

export const EMAIL_BATCH_OPTIONS = {
  ...EMAIL_OPTIONS,
  order: createOrder('addresses', ' and starts with index, the place of its address from 0'),
} as const;
const makeEmailOptions = createOptionMaker(EMAIL_OPTIONS);

export interface EmailBatch {
  requests: ValidateEmailRequest[];
  /** False if each report is sent as soon as it is done, with the index of its request. */
  isOrdered: boolean;
}

/** The body of POST /v1/email/validate/batch. */
export const BATCH_BODY: BodyFormat<EmailBatch> = {
  name: 'validateEmailBatch',
  // 1,000 addresses of the longest valid form, escaped, need less.
  maxBytes: 4 * 1024 * 1024,
  limits: limitList('emails', 10_000),
  parse: parseBatch,
  measure: ({ requests }) => requests.reduce((bytes, { email }) => bytes + email.length, 0),
};

function parseBatch({ emails, ...members }: Record<string, unknown>): EmailBatch {
  const requests = parseTexts('emails', emails, MAX_EMAILS).map((email) => ({ email }));
  return setOptions({ requests }, parseMembers(EMAIL_BATCH_OPTIONS, members, 'emails'));
}

/** Returns a batch with the options in `values`, which has all by name. Throws `invalid_parameter`. */
export function setOptions(
  { requests }: { requests: readonly { email: string }[] },
  { order, ...values }: Readonly<Record<string, unknown>>,
): EmailBatch {
  const options = makeEmailOptions(values);
  return {
    requests: requests.map(({ email }) => ({ email, ...options })),
    isOrdered: order === true,
  };
}

/** The formats of a batch by media type; a body of lines has its options in the query. */
export const BATCH_BODIES: ReadonlyMap<string, BodyFormat<EmailBatch>> = new Map([
  ['application/json', BATCH_BODY],
  ['text/csv', readLines('emailsInCsv', listCells)],
  ['application/x-ndjson', readLines('emailsInLines', listValues)],
]);

/** Reads no further than the first address that is too many. */
function readLines(name: string, list: (text: string) => Generator): BodyFormat<EmailBatch> {
  const readText = (text: string) => ({ emails: [...list(text).take(MAX_EMAILS + 1)] });
  return { ...BATCH_BODY, name, readText };
}

/** Longer lines that are no strings cost too much memory to be parsed. */
const MAX_VALUE_LENGTH = 16 * 1024;

/** Yields the values of NDJSON; of an object with the member email alone, that member. */
function* listValues(text: string): Generator {
  let index = 0;
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const line = text.slice(at, end).trim();
    if (line !== '') yield parseLine(line, `emails[${index++}]`);
  }
}

function parseLine(line: string, name: string): unknown {
  if (line.length > MAX_VALUE_LENGTH && !line.startsWith('"'))
    throw invalid(name, `${name} is over ${MAX_VALUE_LENGTH} characters and no string: send a string.`);
  try {
    const value: unknown = JSON.parse(line);
    if (describeType(value) !== 'an object') return value;
    if (Object.keys(value as object).join() === 'email') return (value as { email: unknown }).email;
  } catch (cause) {
    const message = `${name} is not valid JSON: send one JSON value per line.`;
    throw new ApiError('invalid_json', message, { param: name, cause });
  }
  throw invalid(name, `${name} must be a string, or an object with the member email alone.`);
}

/** Yields the cells of CSV in its only column, or in the one that the first line names email. */
function* listCells(text: string): Generator<string> {
  let width = 0;
  let column = 0;
  let index = 0;
  for (const cells of listRecords(text)) {
    if (width === 0) {
      width = cells.length;
      column = cells.findIndex((cell) => cell.trim().toLowerCase() === 'email');
      if (column >= 0) continue;
      if (width > 1)
        throw invalid('emails', 'CSV of several columns needs a first line of names, one of them email.');
      column = 0;
      // Spreadsheets in countries with decimal commas write such a line of names.
      if (/[;\t]/.test(cells[0] as string) && !cells[0]?.includes('@'))
        throw invalid('emails', 'Separate the cells of the CSV by commas, not by semicolons or tabs.');
    }
    const name = `emails[${index++}]`;
    if (cells.length !== width)
      throw invalid(name, `${name} is in a line of ${cells.length} cells: send ${width}, as before.`);
    yield cells[column] as string;
  }
}

const MAX_CELLS = 1000;
const CELL_END = /[,\r\n]|$/g;

/** Yields the cells of each line of CSV (RFC 4180) that is not empty. */
function* listRecords(text: string): Generator<string[]> {
  let cells: string[] = [];
  for (let at = 0; at < text.length || cells.length > 0;) {
    const start = text[at] === '"' ? findQuoteEnd(text, at) : at;
    CELL_END.lastIndex = start;
    const end = CELL_END.exec(text)?.index ?? text.length;
    if (start > at && end > start) throw looseQuote(text, at, 'is closed before the end of its cell');
    cells.push(start > at ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    if (cells.length > MAX_CELLS) throw invalid('emails', `A line of the CSV has over ${MAX_CELLS} cells.`);
    // Between CR and LF is an empty line.
    at = end + 1;
    if (text[end] === ',') continue;
    if (cells.length > 1 || cells[0] !== '') yield cells;
    cells = [];
  }
}

/** Returns the index after the quotation mark that closes the one at `start`. */
function findQuoteEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) throw looseQuote(text, start, 'is not closed');
  return end + 1;
}

function looseQuote(text: string, start: number, fault: string): ApiError {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line += 1;
  return invalid('emails', `A quotation mark in line ${line} of the CSV ${fault}: double it inside a cell.`);
}

export const MAX_URLS = 100;

export const METADATA_BATCH_OPTIONS = { ...METADATA_OPTIONS, order: createOrder('URLs', '') } as const;
const makeMetadataOptions = createOptionMaker(METADATA_OPTIONS);

interface MetadataBatchBody {
  urls: string[];
  /** The other members, not checked yet: large bodies are parsed in a worker that knows no options. */
  options: Record<string, unknown>;
}

/** The body of POST /v1/meta/batch. */
export const METADATA_BATCH_BODY: BodyFormat<MetadataBatchBody> = {
  name: 'getMetadataBatch',
  // 100 URLs of the longest valid form, escaped, need less.
  maxBytes: 3 * 1024 * 1024,
  limits: limitList('urls', 1_000),
  parse: parseUrlBatch,
  measure: ({ urls }) => urls.reduce((bytes, url) => bytes + url.length, 0),
};

function parseUrlBatch({ urls, ...options }: Record<string, unknown>): MetadataBatchBody {
  return { urls: parseTexts('urls', urls, MAX_URLS), options };
}

/** Parses the members besides `urls`. Throws `invalid_parameter`. */
export function parseMetadataBatchOptions(
  members: Readonly<Record<string, unknown>>,
): OptionValues<typeof METADATA_OPTIONS> & { isOrdered: boolean } {
  const { order, ...values } = parseMembers(METADATA_BATCH_OPTIONS, members, 'urls');
  return { ...makeMetadataOptions(values), isOrdered: order === true };
}
