import type { LayerTemplates } from '../layers/layer-input.ts';
import { scanTemplate } from '../resources/scan-document.ts';
import type { ScannedDocument } from '../resources/scanned-document.ts';
import type { TemplateValues } from './fill-placeholders.ts';
import { fillTemplate } from './print-templates.ts';

export type LayerName = keyof LayerTemplates;

/** The templates of layers as they were sent, and the values of their placeholders. */
export type LayerSources = TemplateValues & { templates: LayerTemplates };

/** A template whose placeholders are filled, with its resources. */
export interface PreparedLayer {
  name: LayerName;
  html: string;
  scanned: ScannedDocument;
}

/** Templates are balanced, which takes ten times as long as a document. */
const MAX_INLINE_CHARACTERS = 16 * 1024;

/** Checks whether templates are too large to be prepared on the main thread. */
export function areLargeLayers({ templates }: LayerSources): boolean {
  const length = Object.values(templates).reduce<number>(
    (sum, html: string | null) => sum + (html?.length ?? 0),
    0,
  );
  return length > MAX_INLINE_CHARACTERS;
}

/** Balances and scans the templates of layers, in time proportional to their length. */
export function prepareLayers({ templates, ...values }: LayerSources): PreparedLayer[] {
  return (Object.keys(templates) as LayerName[]).flatMap((name) => {
    const source = templates[name];
    if (source === null) return [];
    const html = fillTemplate(source, values);
    return [{ name, html, scanned: scanTemplate(html) }];
  });
}
