import type { LayerInput } from './layer-input.ts';
import type { LayerPart } from './plan-sheets.ts';
import { sealTemplate } from './seal-template.ts';

/** Lists the templates of a PDF with the pages that get them, in the order in which they are laid. */
export function listParts({ templates, watermarkPosition, pages: { length } }: LayerInput): LayerPart[] {
  const { header, footer, firstHeader, firstFooter, watermark } = templates;
  const hasFirst = firstHeader !== null || firstFooter !== null;
  const parts = listPair({ header, footer }, { from: hasFirst ? 1 : 0, to: length });
  if (hasFirst) {
    const first = { header: firstHeader ?? header, footer: firstFooter ?? footer };
    parts.push(...listPair(first, { from: 0, to: 1 }));
  }
  if (isBlank(watermark)) return parts;
  const template = sealTemplate(watermark ?? '');
  const stamp = { kind: 'watermark', position: watermarkPosition, from: 0, to: length } as const;
  return [...parts, { ...stamp, template, styles: template.styles }];
}

/** Lists a header and a footer, which share their styles. */
function listPair(
  { header, footer }: { header: string | null; footer: string | null },
  range: { from: number; to: number },
): LayerPart[] {
  if (range.from >= range.to) return [];
  const [top, bottom] = [sealTemplate(header ?? ''), sealTemplate(footer ?? '')];
  const common = { ...range, position: 'over', styles: top.styles + bottom.styles } as const;
  return [
    ...(isBlank(header) ? [] : [{ ...common, kind: 'header', template: top } as const]),
    ...(isBlank(footer) ? [] : [{ ...common, kind: 'footer', template: bottom } as const]),
  ];
}

function isBlank(template: string | null): boolean {
  return template === null || template.trim() === '';
}
