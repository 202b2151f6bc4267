import { deflateSync } from 'node:zlib';
import { type PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFStream } from '@cantoo/pdf-lib';
import { decodeStream, getDict, getPages, listItems, replaceStream } from '../finish/pdf-objects.ts';
import { FontUse } from './font-use.ts';

const RESOURCES = PDFName.of('Resources');
const XOBJECT = PDFName.of('XObject');
const FONT = PDFName.of('Font');
const CONTENTS = PDFName.of('Contents');
const SUBTYPE = PDFName.of('Subtype');
const FORM = PDFName.of('Form');
const MARK = Buffer.from('/MCID');

/**
 * Marks as artifacts what pages paint outside of the structure: backgrounds, borders and shadows, lines,
 * pictures without a meaning, margin boxes (ISO 14289-1 §7.1).
 */
export function markPages(pdf: PDFDocument): ContentMarker {
  const marker = new ContentMarker();
  for (const { page } of getPages(pdf))
    // A mark may begin in one stream of a page and end in another: only layers are added as such.
    for (const stream of listItems(page, CONTENTS)) marker.mark(pdf.context.lookup(stream), page.Resources());
  return marker;
}

class ContentMarker {
  /** The characters that are shown. */
  readonly characters = new FontUse();
  /** True if a form of the structure is drawn more than once, so that its text has two places. */
  repeatsStructure = false;
  readonly #marked = new Set<PDFStream>();
  readonly #scanned = new Set<PDFStream>();
  readonly #ownMarks = new Map<PDFStream, boolean>();
  readonly #drawn = new Set<PDFStream>();

  /**
   * Marks the parts of a stream that no structure has, and notes its characters. `marks`: false for a form
   * that is drawn as a whole as part of the structure, or as an artifact.
   */
  mark(stream: unknown, resources: PDFDict | undefined, marks = true): void {
    const done = marks ? this.#marked : this.#scanned;
    if (!(stream instanceof PDFStream) || done.has(stream)) return;
    done.add(stream);
    const bytes = decodeStream(stream);
    if (bytes === null) return;
    const marked = markArtifacts(bytes.toString('latin1'), this.#createEvents(resources, marks));
    if (marks && marked !== null && stream instanceof PDFRawStream)
      replaceStream(stream, deflateSync(Buffer.from(marked, 'latin1')));
  }

  #createEvents(resources: PDFDict | undefined, marks: boolean): ContentEvents {
    const xObjects = getDict(resources, XOBJECT);
    const fonts = getDict(resources, FONT);
    let font: PDFDict | undefined;
    return {
      onFont: (line) => {
        font = getDict(fonts, parseName(line)) ?? font;
      },
      onText: (line) => {
        if (font !== undefined) this.characters.add(font, line);
      },
      onDraw: (line, isMarked) => {
        const form = xObjects?.lookup(parseName(line));
        if (!(form instanceof PDFStream) || form.dict.lookup(SUBTYPE) !== FORM) return false;
        const own = getDict(form.dict, RESOURCES) ?? resources;
        const hasMarks = this.#hasOwnMarks(form);
        this.repeatsStructure ||= hasMarks && this.#drawn.has(form);
        this.#drawn.add(form);
        this.mark(form, own, hasMarks && marks && !isMarked);
        return hasMarks;
      },
    };
  }

  /** Checks whether the content of a form, or of one that it draws, is part of the structure. */
  #hasOwnMarks(form: PDFStream): boolean {
    const known = this.#ownMarks.get(form);
    if (known !== undefined) return known;
    // A form that draws itself draws nothing.
    this.#ownMarks.set(form, false);
    const bytes = decodeStream(form);
    const hasMarks =
      bytes?.includes(MARK) === true || listForms(form).some((inner) => this.#hasOwnMarks(inner));
    this.#ownMarks.set(form, hasMarks);
    return hasMarks;
  }
}

/** Lists the forms that a form may draw. */
function listForms(form: PDFStream): PDFStream[] {
  const xObjects = getDict(getDict(form.dict, RESOURCES), XOBJECT);
  return (xObjects?.keys() ?? [])
    .map((name) => xObjects?.lookup(name))
    .filter((inner) => inner instanceof PDFStream)
    .filter((inner) => inner.dict.lookup(SUBTYPE) === FORM);
}

/** Parses the name at the start of a line. */
function parseName(line: string): PDFName {
  return PDFName.of(line.slice(1, line.indexOf(' ')));
}

/** Events of a content stream, in its order. Each has the line of its operator. */
export interface ContentEvents {
  /** A named XObject is drawn. Returns true if it has marks of its own, so that its parts are marked. */
  onDraw: (line: string, isMarked: boolean) => boolean;
  onFont: (line: string) => void;
  onText: (line: string) => void;
}

/** An unmarked part of a content stream: the offsets of its first line and after its last. */
interface Range {
  from: number;
  to: number;
}

const CONSTRUCT_PATH = new Set('m l c v y h re'.split(' '));
const PAINT_PATH = new Set('f F f* B B* b b* S s'.split(' '));

/**
 * Marks as artifacts (ISO 32000-1 §14.8.2.2) what a content stream paints outside of marked content (§14.6)
 * that belongs to the structure or is an artifact. A path is marked from its first operator on, as marks may
 * not divide it. Chromium, and `lay-layers.ts`, end each line with an operator: of two in a line, only the
 * last one counts. Returns null if all is marked.
 */
export function markArtifacts(source: string, events: ContentEvents): string | null {
  const ranges: Range[] = [];
  /** For each open sequence, whether its content is marked. */
  const open: boolean[] = [];
  let pathStart = -1;
  const isMarked = (): boolean => open.at(-1) ?? false;
  const add = (from: number, to: number): void => {
    if (isMarked()) return;
    const last = ranges.at(-1);
    if (last && last.to + 1 === from) last.to = to;
    else ranges.push({ from, to });
  };
  for (let from = 0, to = 0; from < source.length; from = to + 1) {
    const end = source.indexOf('\n', from);
    to = end < 0 ? source.length : end;
    const line = source.slice(from, to);
    const operator = line.slice(Math.max(line.lastIndexOf(' '), line.lastIndexOf('>')) + 1);
    if (operator === 'Tj' || operator === 'TJ') {
      events.onText(line);
      add(from, to);
    } else if (CONSTRUCT_PATH.has(operator)) {
      if (pathStart < 0) pathStart = from;
    } else if (PAINT_PATH.has(operator)) {
      add(pathStart < 0 ? from : pathStart, to);
      pathStart = -1;
    } else if (operator === 'n') pathStart = -1;
    else if (operator === 'BMC' || operator === 'BDC') open.push(isMarked() || marksContent(line));
    else if (operator === 'EMC') open.pop();
    else if (operator === 'Tf') events.onFont(line);
    else if (operator === 'Do') {
      if (!events.onDraw(line, isMarked())) add(from, to);
    } else if (operator === 'sh') add(from, to);
  }
  return ranges.length === 0 ? null : wrap(source, ranges);
}

/** Checks whether a sequence makes its content part of the structure, or an artifact. */
function marksContent(line: string): boolean {
  return line.includes('/MCID') || line.startsWith('/Artifact');
}

function wrap(source: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of ranges) {
    parts.push(source.slice(done, from), '/Artifact BMC\n', source.slice(from, to), '\nEMC');
    done = to;
  }
  return parts.join('') + source.slice(done);
}
