import { ApiError } from '#errors';

const MAX_NAMED = 5;
const MAX_NAME_CHARACTERS = 64;

/**
 * Throws `invalid_parameter` if an object has members other than `members`, and names the first ones.
 * `place`: the object, such as `attachments[1]`; the body by default.
 */
export function checkNoUnknownMembers(
  body: Record<string, unknown>,
  members: ReadonlySet<string>,
  place?: string,
): void {
  const unknown = Object.keys(body).filter((name) => !members.has(name));
  const first = unknown[0];
  if (first === undefined) return;
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

/** Names of other PDF services and libraries, without case and separators, and the members that they mean. */
export const ALIASES: Readonly<Record<string, string>> = {
  attach: 'attachments',
  background: 'print_background',
  context: 'data',
  delay: 'wait_for',
  displayheaderfooter: 'header_html or footer_html',
  documents: 'more_documents',
  embeds: 'attachments',
  emulatemedia: 'media',
  emulatemediatype: 'media',
  engine: 'template',
  files: 'attachments',
  footer: 'footer_html',
  footertemplate: 'footer_html',
  format: 'page_size',
  header: 'header_html',
  headertemplate: 'header_html',
  height: 'page_height',
  invoice: 'facturx',
  js: 'javascript',
  landscape: 'orientation',
  language: 'lang',
  locale: 'lang',
  margin: 'margin_top, margin_right, margin_bottom or margin_left',
  margins: 'margin_top, margin_right, margin_bottom or margin_left',
  mediatype: 'media',
  name: 'filename',
  pages: 'page_ranges',
  paperformat: 'page_size',
  paperheight: 'page_height',
  papersize: 'page_size',
  paperwidth: 'page_width',
  pdfprofile: 'pdfa',
  pdfua: 'tagged',
  pdfvariant: 'pdfa',
  size: 'page_size',
  styles: 'css',
  stylesheet: 'css',
  userpassword: 'password',
  variables: 'data',
  waitforfunction: 'wait_for_expression',
  waitforselector: 'wait_for',
  waitfortimeout: 'wait_for',
  waituntil: 'wait_for or wait_for_expression',
  watermark: 'watermark_html',
  width: 'page_width',
  zoom: 'scale',
  zugferd: 'facturx',
};

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
