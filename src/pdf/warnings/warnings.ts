import { ApiError } from '#errors';
import { MAX_WORKERS, type FailedRequest, type ScriptError } from '#browser';
import { listPageAreas } from '../pdf-file/printed-pages.ts';

/** The subjects of warnings, in the order in which they are listed. */
const KINDS = ['resource', 'script', 'text', 'layout', 'structure'] as const;

export type WarningKind = (typeof KINDS)[number];

/** The length of a warning: several must fit into the head of a response. */
export const MAX_WARNING_CHARACTERS = 200;
/** A document can cause any number of failures. */
const MAX_WARNINGS_PER_KIND = 100;

/** Collects what is wrong with a PDF that was rendered nevertheless, for its client. */
export class Warnings {
  readonly #texts = new Map<WarningKind, Set<string>>(KINDS.map((kind) => [kind, new Set()]));

  /** Adds a sentence. Equal sentences count once. */
  add(kind: WarningKind, sentence: string): void {
    const texts = this.#texts.get(kind);
    if (texts && texts.size < MAX_WARNINGS_PER_KIND) texts.add(toHeaderText(sentence));
  }

  /** Adds the warnings about a part of the PDF, which `prefix` names. */
  addAll(warnings: Warnings, prefix: string): void {
    for (const [kind, texts] of warnings.#texts) for (const text of texts) this.add(kind, `${prefix}${text}`);
  }

  /**
   * Lists the warnings by kind. Resources fail in any order, so they are sorted; the others keep their order.
   */
  list(): string[] {
    return KINDS.flatMap((kind) => {
      const texts = [...(this.#texts.get(kind) ?? [])];
      return kind === 'resource' ? texts.sort() : texts;
    });
  }
}

/** Returns a text as one line of printable ASCII that is short enough for a header. */
function toHeaderText(text: string): string {
  const plain = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[^\x20-\x7e]+/g, '?')
    .trim();
  return plain.length > MAX_WARNING_CHARACTERS ? `${plain.slice(0, MAX_WARNING_CHARACTERS - 3)}...` : plain;
}

const MAX_NAMED = 3;

/** Throws render_failed if there is a warning, and names the first ones. */
export function refuseWarnings(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const more = warnings.length > MAX_NAMED ? ` There are ${warnings.length - MAX_NAMED} more warnings.` : '';
  throw new ApiError(
    'render_failed',
    `The document has warnings, which strict refuses: ${warnings.slice(0, MAX_NAMED).join(' ')}${more}`,
  );
}

/** The user name and the password of a URL, also of one without a scheme or with backslashes. */
const CREDENTIALS = /([/\\]{2})[^\s/\\?#]*@/g;

/** Removes the user names and passwords of the URLs in a text, which is shown to others than its author. */
export function removeCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1');
}

const NAMES: Partial<Record<FailedRequest['type'], string>> = {
  Document: 'frame',
  Font: 'font',
  Image: 'image',
  Script: 'script',
  Stylesheet: 'style sheet',
};

/** Formats the warning about a request that failed. A URL loses its password, and a long one its middle. */
export function formatFailedRequest({ type, url, failure }: FailedRequest): string {
  const name = NAMES[type] ?? 'resource';
  const room = MAX_WARNING_CHARACTERS - `The ${name}  ${failure}.`.length;
  const shown = removeCredentials(url);
  const half = Math.max(0, Math.floor((room - 3) / 2));
  const short =
    shown.length <= room ? shown : `${shown.slice(0, half)}...${shown.slice(shown.length - half)}`;
  return `The ${name} ${short} ${failure}.`;
}

const MAX_MESSAGE = 110;
const MAX_URL = 50;

/** Formats the warning about an error that no script caught. Its URLs lose their passwords. */
export function formatScriptError({ message, file, line }: ScriptError): string {
  const url = removeCredentials(file);
  // The end of a URL has the name of the file.
  const name = url.length > MAX_URL ? `...${url.slice(-MAX_URL)}` : url;
  const place = [name, line === 0 ? '' : `line ${line}`].filter(Boolean).join(', ');
  const text = removeCredentials(message).replace(/^Uncaught /, '');
  // `replace` with a pattern of the end takes quadratic time for a million dots before a letter.
  let length = text.length;
  while (/[.\s]/.test(text[length - 1] ?? '')) length -= 1;
  const short = length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text.slice(0, length);
  return `A script failed: ${short}${place === '' ? '' : ` (${place})`}.`;
}

export const TOO_MANY_WORKERS = `The document has more than ${MAX_WORKERS} workers at a time: the others did not start.`;

/** Chromium shrinks a document that is wider than its page, at most by this factor, and clips the rest. */
const MAX_SHRINK = 1.5;
const TOLERANCE = 1e-4;
/** Pages without content say nothing, and all others have the same scale. */
const MAX_PAGES = 8;

/** The warning of a document whose scripts still added content when its time limit was near. */
export const UNFINISHED =
  'Scripts still added content when the time of the document was over, so its end is missing: divide it into several documents, or ask the operator for a longer PDF_TIMEOUT_MS.';

export const CLIPPED =
  'The document is more than 1.5 times as wide as its page: it was shrunk to two thirds, and the rest was cut off.';

/**
 * Checks whether content was cut off at the edge of its page. A PDF by Chromium does not contain what was cut
 * off, but the scale of its pages, which is the smallest one then. `scale` is the request's.
 */
export function isClipped(pdf: Buffer, scale: number): boolean {
  for (const area of listPageAreas(pdf, MAX_PAGES))
    if (area !== null) return Math.abs((area.scale * MAX_SHRINK) / scale - 1) < TOLERANCE;
  return false;
}
