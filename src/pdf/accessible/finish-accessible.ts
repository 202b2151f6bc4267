import { PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import type { FinishOptions } from '../finish/finish-input.ts';
import { getInfo, getText } from '../finish/pdf-objects.ts';
import { markPages } from './mark-pages.ts';
import { repairLinks, repairLists, repairRoles, repairTables } from './structure/repair-structure.ts';
import {
  type Element,
  LANGUAGE_TAG,
  StructureTree,
  findMeaningfulParent,
  getChildren,
} from './structure/structure-tree.ts';

const LANGUAGE = PDFName.of('Lang');

/**
 * Completes the structure of a tagged PDF by Chromium: corrects its lists, tables, links and types, and marks
 * the rest of its content as artifacts. Returns what it lacks nevertheless to be PDF/UA-1 (ISO 14289-1) as
 * far as a program can check it, and what to add: a sentence of printable ASCII each.
 */
export function finishAccessible(pdf: PDFDocument, options: FinishOptions): string[] {
  const { catalog } = pdf;
  const tree = StructureTree.open(pdf);
  // Chromium makes no structure for a document without text and named images.
  if (tree === null)
    return ['it has neither text nor an image with an alternative text that a screen reader could read.'];
  const title = options.title ?? getText(getInfo(pdf).lookup(PDFName.Title)) ?? '';
  const hasLanguage = LANGUAGE_TAG.test(options.language ?? getText(catalog.lookup(LANGUAGE)) ?? '');
  if (!hasLanguage) catalog.delete(LANGUAGE);
  catalog.getOrCreateViewerPreferences().setDisplayDocTitle(true);
  repairFigures(tree);
  repairLists(tree);
  repairTables(tree);
  repairLinks(pdf, tree);
  repairRoles(pdf, tree);
  const { characters, repeatsStructure } = markPages(pdf);
  const unknown = characters.countUnknown();
  return [
    title.trim() === '' && 'it has no title: send title, or add a <title>.',
    !hasLanguage && 'its language is not known: send lang, or add lang to its <html>.',
    findUnnamedFigures(tree.elements),
    findHeadingFault(tree.elements),
    hasMisplacedCells(tree.elements) &&
      'a table has content outside of its cells, or cells outside of a row: correct its markup.',
    unknown > 0 && `${unknown} of its characters are in no font: replace them, or add a font that has them.`,
    repeatsStructure &&
      'a part of its text is drawn twice, as masks do: remove mask from elements with text.',
  ].filter((fault) => typeof fault === 'string');
}

const NEEDS_TEXT = new Set(['Figure', 'Formula']);
/** The content of a figure that a screen reader can read. */
const READABLE = /^(?:Figure|Formula|Table|P|L|Code|BlockQuote|Link|H[1-6]?)$/;

/**
 * Makes a `<figure>` around text, a table or a named image a section: PDF's figure is the image itself. A
 * figure that holds nothing but a caption remains one, and needs an alternative text.
 */
function repairFigures(tree: StructureTree): void {
  for (const element of tree.elements)
    if (element.role === 'Figure' && isUnnamed(element) && getChildren(element).some(isReadable)) {
      element.role = 'Sect';
      element.dict.set(PDFName.of('S'), PDFName.of('Sect'));
    }
}

function isReadable(element: Element): boolean {
  const open = [element];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.role === 'Caption') continue;
    if (READABLE.test(next.role)) return true;
    open.push(...getChildren(next));
  }
  return false;
}

/** Finds images and formulas without an alternative text (ISO 14289-1 §7.3 and §7.7). */
function findUnnamedFigures(elements: readonly Element[]): string | null {
  const count = elements.filter((element) => NEEDS_TEXT.has(element.role) && isUnnamed(element)).length;
  if (count === 0) return null;
  return `${count} of its images ${count === 1 ? 'has' : 'have'} no alternative text: add alt to each img (alt="" if it only decorates), role="img" and aria-label to each svg, canvas and figure.`;
}

function isUnnamed({ dict }: Element): boolean {
  return !['Alt', 'ActualText'].some((name) => (getText(dict.lookup(PDFName.of(name))) ?? '').trim() !== '');
}

const HEADING = /^H([1-6]?)$/;

/**
 * Finds a heading that breaks the order of PDF/UA-1 (§7.4.2): the first is h1, and none is more than one
 * level below the one before it. Chromium writes `H` for a level above 6.
 */
function findHeadingFault(elements: readonly Element[]): string | null {
  let before = 0;
  for (const { role } of elements) {
    const [, digit] = HEADING.exec(role) ?? [];
    if (digit === undefined) continue;
    if (digit === '') return 'a heading has a level above 6: use h1 to h6.';
    const level = Number(digit);
    if (before === 0 && level > 1) return `its first heading is an h${level}: begin with an h1.`;
    if (level > before + 1) return `an h${level} follows an h${before}: leave out no level of headings.`;
    before = level;
  }
  return null;
}

const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  Table: new Set(['TR', 'THead', 'TBody', 'TFoot', 'Caption']),
  THead: new Set(['TR']),
  TBody: new Set(['TR']),
  TFoot: new Set(['TR']),
  TR: new Set(['TH', 'TD']),
};

const PARTS: ReadonlySet<string> = new Set(['TR', 'TH', 'TD', 'THead', 'TBody', 'TFoot']);

/** Checks whether a part of a table is where PDF/UA-1 (§7.2) does not allow it. */
function hasMisplacedCells(elements: readonly Element[]): boolean {
  return elements.some((element) => {
    if (element.role === 'NonStruct') return false;
    const allowed = CHILDREN[findMeaningfulParent(element)?.role ?? ''];
    return allowed === undefined ? PARTS.has(element.role) : !allowed.has(element.role);
  });
}
