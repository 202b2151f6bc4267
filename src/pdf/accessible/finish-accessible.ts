import { PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import { NOTHING_TO_READ, findFaults, repairFigures } from './find-faults.ts';
import { markPages } from './content/mark-pages.ts';
import type { FinishOptions } from '../finish/finish-input.ts';
import { getInfo, getText } from '../finish/pdf-objects.ts';
import { LANGUAGE_TAG, StructureTree } from './structure/structure-tree.ts';
import { repairLinks, repairLists, repairRoles, repairTables } from './structure/repair-structure.ts';

/**
 * Completes the structure of a tagged PDF by Chromium: corrects its lists, tables, links and types, and marks
 * the rest of its content as artifacts. Returns what it lacks nevertheless to be PDF/UA-1 (ISO 14289-1) as
 * far as a program can check it, and what to add.
 */
export function finishAccessible(pdf: PDFDocument, options: FinishOptions): string[] {
  const { catalog } = pdf;
  const tree = StructureTree.open(pdf);
  if (tree === null) return [NOTHING_TO_READ];
  const title = (options.title ?? getText(getInfo(pdf).lookup(PDFName.Title)) ?? '').trim();
  const language = options.language ?? getText(catalog.lookup(LANGUAGE)) ?? '';
  const hasLanguage = LANGUAGE_TAG.test(language);
  if (!hasLanguage) catalog.delete(LANGUAGE);
  catalog.getOrCreateViewerPreferences().setDisplayDocTitle(true);
  repairFigures(tree);
  repairLists(tree);
  repairTables(tree);
  repairLinks(pdf, tree);
  repairRoles(pdf, tree);
  const { characters, repeatsStructure } = markPages(pdf);
  const unknownCharacters = characters.countUnknown();
  return findFaults(tree, { hasTitle: title !== '', hasLanguage, unknownCharacters, repeatsStructure });
}

const LANGUAGE = PDFName.of('Lang');
