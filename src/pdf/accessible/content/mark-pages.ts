import { deflateSync } from 'node:zlib';
import { type PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFStream } from '@cantoo/pdf-lib';
import { decodeStream, getDict, getPages, listItems, replaceStream } from '../../finish/pdf-objects.ts';
import { type ContentSlice, FontUse, setShownCodes } from '../font-use.ts';
import { findUnmarked, markArtifacts, type ContentEvents } from './find-unmarked.ts';

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
    const unmarked = findUnmarked(bytes, this.#createEvents(resources, marks));
    if (marks && unmarked.length > 0 && stream instanceof PDFRawStream)
      replaceStream(stream, deflateSync(markArtifacts(bytes, unmarked)));
  }

  #createEvents(resources: PDFDict | undefined, marks: boolean): ContentEvents {
    const xObjects = getDict(resources, XOBJECT);
    const fonts = getDict(resources, FONT);
    let codes: Uint8Array | undefined;
    return {
      onFont: (slice) => {
        const font = getDict(fonts, parseName(slice));
        if (font !== undefined) codes = this.characters.getCodes(font);
      },
      onText: (slice) => {
        if (codes !== undefined) setShownCodes(slice, codes);
      },
      onDraw: (slice, isMarked) => {
        const form = xObjects?.lookup(parseName(slice));
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

/** Parses the name at the start of operands. */
function parseName({ bytes, from, to }: ContentSlice): PDFName {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  const [name = ''] = source.slice(1).split(/[\s/]/);
  return PDFName.of(name);
}
