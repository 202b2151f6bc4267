/** The error of members that no option has, which names the options that they probably mean. */
import { ApiError } from '#errors';

const MAX_NAMED = 5;
const MAX_NAME_CHARACTERS = 64;

/**
 * Throws `invalid_parameter` if an object has members besides the options of `table`, and names the first
 * ones. `place`: the object, such as `attachments[1]`; the body by default.
 */
export function checkNoUnknownMembers(body: object, table: object, place?: string): void {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(table, name));
  const first = unknown[0];
  if (first === undefined) return;
  const members = new Set(Object.keys(table));
  const names = unknown.slice(0, MAX_NAMED).map((name) => formatUnknown(name, members));
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : '';
  throw new ApiError(
    'invalid_parameter',
    `${place ?? 'The body'} has unknown members: ${names.join(', ')}${more}. Correct or remove them.`,
    { param: place === undefined ? shorten(first) : `${place}.${shorten(first)}` },
  );
}

function formatUnknown(name: string, members: ReadonlySet<string>): string {
  const meant = name.length > MAX_NAME_CHARACTERS ? null : suggestMembers(name, members);
  return `${JSON.stringify(shorten(name))}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARACTERS
    ? `${name.slice(0, MAX_NAME_CHARACTERS).toWellFormed()}…`
    : name.toWellFormed();
}

/**
 * The members that the names of other PDF services and libraries mean. The names are without case and
 * separators.
 */
const FOREIGN_NAMES: Readonly<Record<string, readonly string[]>> = {
  attachments: ['attach', 'embeds', 'files'],
  print_background: ['background'],
  data: ['context', 'variables'],
  wait_for: ['delay', 'waitforselector', 'waitfortimeout'],
  'header_html or footer_html': ['displayheaderfooter'],
  more_documents: ['documents'],
  media: ['emulatemedia', 'emulatemediatype', 'mediatype'],
  template: ['engine'],
  footer_html: ['footer', 'footertemplate'],
  page_size: ['format', 'paperformat', 'papersize', 'size'],
  header_html: ['header', 'headertemplate'],
  page_height: ['height', 'paperheight'],
  facturx: ['invoice', 'zugferd'],
  javascript: ['js'],
  orientation: ['landscape'],
  lang: ['language', 'locale'],
  'margin_top, margin_right, margin_bottom or margin_left': ['margin', 'margins'],
  filename: ['name'],
  page_ranges: ['pages'],
  page_width: ['paperwidth', 'width'],
  pdfa: ['pdfprofile', 'pdfvariant'],
  tagged: ['pdfua'],
  css: ['styles', 'stylesheet'],
  password: ['userpassword'],
  wait_for_expression: ['waitforfunction'],
  'wait_for or wait_for_expression': ['waituntil'],
  watermark_html: ['watermark'],
  scale: ['zoom'],
};
/** The meaning of each of those names. */
export const ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FOREIGN_NAMES).flatMap(([meant, names]) => names.map((name) => [name, meant])),
);

/** The letters of a name per edit that may be a slip. */
const LETTERS_PER_EDIT = 4;

/**
 * Finds the member that an unknown name means, ready for a message: an alias, another spelling (`pageSize`),
 * or a slip (`margin_topp`). Returns null if none is near.
 */
export function suggestMembers(name: string, members: ReadonlySet<string>): string | null {
  const plain = toPlain(name);
  const alias = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
  if (alias !== undefined && alias.split(/, | or /).every((member) => members.has(member))) return alias;
  let nearest: string | null = null;
  let least = Math.floor(plain.length / LETTERS_PER_EDIT) + 1;
  for (const member of members) {
    const edits = countEdits(plain, toPlain(member));
    if (edits >= least) continue;
    nearest = member;
    least = edits;
  }
  return nearest;
}

function toPlain(name: string): string {
  return name.replace(/[\s_-]+/g, '').toLowerCase();
}

/** Counts the letters to insert, delete, replace or swap with the next one (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isEqual = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? Infinity;
}
