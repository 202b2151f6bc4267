/** The bodies of the batches, and the rules that they have in common. */
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { EMAIL_OPTIONS, type ValidateEmailRequest } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionRow, OptionValues } from '#options';
import { prefersLines } from '../accept.ts';
import type { JsonLimits } from '../wire/json/body-limits.ts';
import type { BodyFormat, TextFormat } from '../wire/json/body-format.ts';
import { createOptionMaker, parseMembers } from './operation-options.ts';

/** The names in the messages about a batch. */
interface BatchNames {
  /** The member with the items: `emails`. */
  member: string;
  /** The items: `addresses`. */
  items: string;
}

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
    throw invalid(name, `${name} must be an array of 1 to ${max} strings.`);
  const texts: unknown[] = value;
  const wrong = texts.findIndex((text) => typeof text !== 'string');
  if (wrong < 0) return value as string[];
  throw invalid(`${name}[${wrong}]`, `${name}[${wrong}] must be a string: it is ${describe(texts[wrong])}.`);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `of the type ${typeof value}`;
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}

/** Throws `invalid_parameter` if a batch has more items than its caller may send requests in a minute. */
export function checkBatchSize(
  { member, items }: BatchNames,
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
  const addresses = parseTexts('emails', emails, MAX_EMAILS);
  return makeBatch(addresses, parseMembers(EMAIL_BATCH_OPTIONS, members, 'emails'));
}

/** Makes the batch of addresses with the values of all options by name. Throws `invalid_parameter`. */
export function makeBatch(
  addresses: readonly string[],
  { order, ...values }: Readonly<Record<string, unknown>>,
): EmailBatch {
  const options = makeEmailOptions(values);
  return {
    requests: addresses.map((email) => ({ email, ...options })),
    isOrdered: order === true,
  };
}

/** A body of addresses in CSV (RFC 4180); the options are in the query. */
export const CSV_BATCH_BODY: TextFormat<string[]> = createTextFormat('emailsInCsv', listCells);
/** The same with one JSON value per line. */
export const LINES_BATCH_BODY: TextFormat<string[]> = createTextFormat('emailsInLines', listValues);

function createTextFormat(name: string, list: (text: string) => Iterable<string>): TextFormat<string[]> {
  return {
    name,
    maxBytes: BATCH_BODY.maxBytes,
    limits: null,
    parse: (text) => collectEmails(list(text)),
    measure: (emails) => emails.reduce((bytes, email) => bytes + email.length, 0),
  };
}

/** Reads no further than the first address that is too many. */
function collectEmails(addresses: Iterable<string>): string[] {
  const emails: string[] = [];
  for (const address of addresses)
    if (emails.push(address) > MAX_EMAILS)
      throw invalid('emails', `The body has more than ${MAX_EMAILS} addresses: send fewer at a time.`);
  if (emails.length === 0) throw invalid('emails', 'The body has no addresses: send at least one.');
  return emails;
}

/** Longer lines that are no strings cost too much memory to be parsed. */
const MAX_VALUE_LENGTH = 16 * 1024;

/** Yields the addresses of NDJSON: each line is a string, or an object with the member email alone. */
function* listValues(text: string): Generator<string> {
  let index = 0;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trim();
    at = end < 0 ? text.length : end + 1;
    if (line !== '') yield parseLine(line, `emails[${index++}]`);
  }
}

function parseLine(line: string, name: string): string {
  const value = line.startsWith('"') || line.length <= MAX_VALUE_LENGTH ? parseValue(line, name) : null;
  if (typeof value === 'string') return value;
  const { email, ...others } = (value ?? {}) as Record<string, unknown>;
  if (typeof email === 'string' && Object.keys(others).length === 0) return email;
  throw invalid(name, `${name} must be a string, or an object with the string email and no other member.`);
}

function parseValue(line: string, name: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ApiError('invalid_json', `${name} is not valid JSON: send one JSON value per line.`, {
      param: name,
      cause,
    });
  }
}

/**
 * Yields the addresses of CSV: those of its only column, or of the column whose name in the first line is
 * email. A first line of one cell is a header if it is that name.
 */
function* listCells(text: string): Generator<string> {
  let header: readonly string[] | null = null;
  let column = 0;
  let index = 0;
  for (const cells of listRecords(text)) {
    if (header === null) {
      header = cells;
      column = cells.findIndex((cell) => cell.trim().toLowerCase() === 'email');
      if (column >= 0) continue;
      if (cells.length > 1)
        throw invalid('emails', 'CSV of several columns needs a first line of names, one of them email.');
      column = 0;
    }
    const name = `emails[${index++}]`;
    if (cells.length !== header.length)
      throw invalid(name, `${name} is in a line of ${cells.length} cells: send ${header.length}, as before.`);
    yield cells[column] as string;
  }
}

const MAX_CELLS = 1000;

/** Yields the cells of each line of CSV that is not empty. Throws `invalid_parameter` for loose quotes. */
function* listRecords(text: string): Generator<string[]> {
  let cells: string[] = [];
  for (let at = 0; at < text.length;) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? findQuoteEnd(text, at) : findCellEnd(text, at);
    cells.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    if (cells.length > MAX_CELLS)
      throw invalid(
        'emails',
        `A line of the CSV has more than ${MAX_CELLS} cells: send the column email alone.`,
      );
    const isLast = text[end] !== ',';
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    // A comma at the end of the text has an empty cell after it.
    if (!isLast && at < text.length) continue;
    if (!isLast) cells.push('');
    if (cells.length > 1 || cells[0] !== '') yield cells;
    cells = [];
  }
}

const CELL_END = /[,\r\n]/g;

function findCellEnd(text: string, start: number): number {
  CELL_END.lastIndex = start;
  return CELL_END.exec(text)?.index ?? text.length;
}

/** Returns the index after the quotation mark that closes the one at `start`. */
function findQuoteEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end >= 0 && (end + 1 === text.length || findCellEnd(text, end + 1) === end + 1)) return end + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line += 1;
  const fault = end < 0 ? 'is not closed' : 'is closed before the end of its cell';
  throw invalid(
    'emails',
    `A quotation mark in line ${line} of the CSV ${fault}: double those inside a cell.`,
  );
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
