import { scanAttributes, scanHtml } from '#html';

const NAME_END = '<link'.length;

/** Removes the link elements of a template whose target is not a data: URL. */
export function removeExternalLinks(html: string): string {
  let result = '';
  let from = 0;
  for (const { kind, name, start, end } of scanHtml(html)) {
    if (kind !== 'start' || name !== 'link') continue;
    const href = scanAttributes(html, start + NAME_END, end).find((attribute) => attribute.name === 'href');
    if (/^\s*data:/i.test(href?.value ?? '')) continue;
    result += html.slice(from, start);
    from = end;
  }
  return result + html.slice(from);
}
