import { PDFName, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import { getText, LANGUAGE_TAG } from '../metadata/text.ts';
import type { StructureTree } from './structure-tree.ts';

/** The structure types of PDF 1.7 (ISO 32000-1 §14.8.4). */
const STANDARD = new Set(
  [
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6',
    'L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot',
    'Ruby RB RT RP Warichu WT WP Figure Formula Form',
  ].flatMap((names) => names.split(' ')),
);

/** The types of PDF 2.0 that Chromium writes, as the nearest ones of PDF 1.7. */
const NEAREST: Readonly<Record<string, string>> = {
  Aside: 'Sect',
  DocumentFragment: 'Div',
  Em: 'Span',
  FENote: 'Note',
  Strong: 'Span',
  Sub: 'Span',
  Title: 'P',
};

/**
 * Maps the types that PDF 1.7 does not have to those that it has, removes languages that are none, and gives
 * notes the identifiers that they need (ISO 14289-1 §7.1, §7.2 and §7.9).
 */
export function repairRoles(pdf: PDFDocument, tree: StructureTree): void {
  const mapped: Record<string, string> = {};
  let notes = 0;
  for (const { dict, role } of tree.elements) {
    if (!STANDARD.has(role)) mapped[role] = NEAREST[role] ?? 'NonStruct';
    const language = getText(dict.lookup(PDFName.of('Lang')));
    if (language !== null && !LANGUAGE_TAG.test(language)) dict.delete(PDFName.of('Lang'));
    if (role === 'Note' && !dict.has(PDFName.of('ID')))
      dict.set(PDFName.of('ID'), PDFString.of(`note${(notes += 1)}`));
  }
  if (Object.keys(mapped).length > 0) tree.root.set(PDFName.of('RoleMap'), pdf.context.obj(mapped));
}
