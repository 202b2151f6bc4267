import type { Layer } from '../finish/finish-input.ts';
import type { LayerPage } from './layer-input.ts';
import { hasPageNumber, type SealedTemplate } from './seal-template.ts';

/** A template, and the first and last (exclusive) of the pages that get it. */
export interface LayerPart {
  kind: Layer['kind'];
  position: Layer['position'];
  template: SealedTemplate;
  /** The styles of all templates that share a page, as of a header and a footer by Chromium. */
  styles: string;
  from: number;
  to: number;
}

/** The different sheets of one size that a template needs. */
export interface PlannedSheets {
  /** For each sheet, the indexes of the pages that get it; at least one. */
  sheets: number[][];
}

interface Plan extends PlannedSheets {
  /** The sheets by what they differ in. */
  byKey: Map<string, number[]>;
}

/** Plans the sheets of a template: pages for which it is the same share one. */
export function planSheets(
  { template, kind, from, to }: LayerPart,
  pages: readonly LayerPage[],
): PlannedSheets[] {
  const bySize = new Map<string, Plan>();
  const isNumbered = hasPageNumber(template);
  for (const [index, page] of pages.entries()) {
    if (index < from || index >= to) continue;
    const size = `${page.width} ${page.height}`;
    const plan = bySize.get(size) ?? { sheets: [], byKey: new Map<string, number[]>() };
    bySize.set(size, plan);
    const key = isNumbered ? String(index) : formatPlace(kind, page);
    const sheet = plan.byKey.get(key);
    if (sheet !== undefined) {
      sheet.push(index);
      continue;
    }
    const added = [index];
    plan.byKey.set(key, added);
    plan.sheets.push(added);
  }
  return [...bySize.values()];
}

/** Formats the margins that the place of a template depends on. */
function formatPlace(kind: Layer['kind'], { margins }: LayerPage): string {
  if (kind === 'watermark') return '';
  return [margins.left, margins.right, kind === 'header' ? margins.top : margins.bottom].join(' ');
}
