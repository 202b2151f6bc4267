import { PDFBool, PDFDict, PDFHexString, PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import { repairFigures } from './checks/figures.ts';
import { findFaults, NOTHING_TO_READ } from './checks/find-faults.ts';
import { markPages } from './content/mark-pages.ts';
import { countUnknownCharacters } from './fonts/to-unicode.ts';
import { getText, LANGUAGE_TAG } from './metadata/text.ts';
import { repairLinks } from './structure/repair-links.ts';
import { repairLists } from './structure/repair-lists.ts';
import { repairRoles } from './structure/repair-roles.ts';
import { repairTables } from './structure/repair-tables.ts';
import { StructureTree } from './structure/structure-tree.ts';

/** The metadata that a request gives its PDF. Null: as the document has it. */
export interface AccessibleOptions {
  title: string | null;
  language: string | null;
}

export interface Accessibility {
  title: string | null;
  language: string | null;
  /** All that a program can check of PDF/UA-1 (ISO 14289-1) holds: the PDF may declare it. */
  isUniversal: boolean;
  /** What it lacks otherwise, and what to add. */
  faults: readonly string[];
}

/**
 * Completes the structure of a tagged PDF by Chromium: corrects its lists, tables, links and types, and marks
 * the rest of its content as artifacts. Returns whether the PDF may declare PDF/UA-1.
 */
export function finishAccessible(pdf: PDFDocument, options: AccessibleOptions): Accessibility {
  const { catalog } = pdf;
  const title = (options.title ?? getTitle(pdf))?.trim() || null;
  const language = findLanguage(options.language ?? getText(catalog.lookup(PDFName.of('Lang'))));
  const tree = StructureTree.open(pdf);
  if (tree === null) {
    return { title, language, isUniversal: false, faults: [NOTHING_TO_READ] };
  }
  if (language === null) catalog.delete(PDFName.of('Lang'));
  else catalog.set(PDFName.of('Lang'), PDFHexString.fromText(language));
  showTitle(pdf);
  repairFigures(tree);
  repairLists(tree);
  repairTables(tree);
  repairLinks(pdf, tree);
  repairRoles(pdf, tree);
  const { characters, repeatsStructure } = markPages(pdf);
  const unknownCharacters = countUnknownCharacters(characters);
  const faults = findFaults(tree, { title, language, unknownCharacters, repeatsStructure });
  return { title, language, isUniversal: faults.length === 0, faults };
}

function getTitle(pdf: PDFDocument): string | null {
  const info = pdf.context.lookup(pdf.context.trailerInfo.Info);
  return info instanceof PDFDict ? getText(info.lookup(PDFName.Title)) : null;
}

function findLanguage(language: string | null): string | null {
  return language !== null && LANGUAGE_TAG.test(language) ? language : null;
}

/** Lets viewers show the title in place of the file name (ISO 14289-1 §7.1). */
function showTitle({ catalog, context }: PDFDocument): void {
  const key = PDFName.of('ViewerPreferences');
  const preferences = catalog.lookup(key);
  if (preferences instanceof PDFDict) preferences.set(PDFName.of('DisplayDocTitle'), PDFBool.True);
  else catalog.set(key, context.obj({ DisplayDocTitle: true }));
}
