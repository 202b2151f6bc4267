import { type HtmlAttribute, trimSpaces } from '#html';
import type { DocumentFindings } from './document-findings.ts';
import { type ScannedElement, findAttribute, isInternal } from './scanned-document.ts';
import { scanCss } from './scan-css.ts';
import { isInertHandler, isInertMeta, isInertScript, toHanLanguage } from './static-rules.ts';

/** Attributes in which an `image` has its URL. The parser makes an img of it outside of SVG. */
const IMAGE_ATTRIBUTES = new Set(['href', 'xlink:href', 'src']);
/** Elements of SVG that refer to others: outside the document, they would be loaded. */
const REFERRING = new Set(
  'use feimage pattern lineargradient radialgradient textpath filter mpath tref cursor'.split(' '),
);
const EXTERNAL_URL = /url\(\s*["']?(?![#"'\s]|data:)/i;

/**
 * Adds what an element loads, what it changes, and whether it needs a page of its own. Images of img elements
 * are added by PictureScan.
 */
export function scanElement(
  element: ScannedElement,
  findings: DocumentFindings,
  { javascript }: { javascript: boolean },
): void {
  scanByName(element, findings);
  for (const attribute of element.attributes)
    if (attribute.name.startsWith('on')) findings.isDynamic ||= javascript && !isInertHandler(attribute.name);
    else scanAttribute(element, attribute, findings);
}

function scanByName(element: ScannedElement, findings: DocumentFindings): void {
  const { name, attributes } = element;
  const { result } = findings;
  const get = (attribute: string): string | undefined => findAttribute(element, attribute)?.value;
  if (name === 'script') findings.isDynamic ||= !isInertScript(get('type'));
  else if (name === 'base') scanBase(get('href'), findings);
  else if (name === 'meta') {
    const equivalent = get('http-equiv');
    findings.isDynamic ||= equivalent !== undefined && !isInertMeta(equivalent);
    result.leavesState ||= get('name')?.toLowerCase() === 'color-scheme';
  } else if (name === 'link') scanLink(element, findings);
  else if (name === 'style') result.leavesState ||= get('title') !== undefined;
  else if (name === 'progress') findings.isDynamic ||= get('value') === undefined;
  else if (name === 'input' && get('type')?.toLowerCase() === 'image')
    scanImageInput(findAttribute(element, 'src'), findings);
  else if (name === 'body')
    result.leavesState ||= attributes.some((one) => /^(?:text|[av]?link)$/.test(one.name));
}

function scanImageInput(src: HtmlAttribute | undefined, findings: DocumentFindings): void {
  // It is drawn before it knows that it has no image, or later, as time permits.
  if (src === undefined || /^(?:#|$)/.test(trimSpaces(src.value))) findings.isDynamic = true;
  else findings.addImage(src);
}

function scanBase(href: string | undefined, { result }: DocumentFindings): void {
  if (href === undefined || result.base !== null) return;
  result.base = href;
  if (!URL.canParse(href)) result.needsUrl = true;
}

function scanLink(element: ScannedElement, findings: DocumentFindings): void {
  const get = (attribute: string): string | undefined => findAttribute(element, attribute)?.value;
  const relations = (get('rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/);
  const isPreload = relations.includes('preload') && get('as')?.toLowerCase() === 'image';
  findings.preloadsImage ||= isPreload || relations.includes('prefetch');
  if (!relations.includes('stylesheet') || get('disabled') !== undefined) return;
  if (get('title') !== undefined) findings.result.leavesState = true;
  // Without `crossorigin`, a resource of another origin is not used.
  if (get('integrity') !== undefined && get('crossorigin') === undefined) findings.isDynamic = true;
  const type = trimSpaces(get('type') ?? '').toLowerCase();
  if (relations.includes('alternate') || (type !== '' && !type.startsWith('text/css'))) return;
  if (trimSpaces(get('media') ?? '').toLowerCase() === 'screen') return;
  const href = findAttribute(element, 'href');
  if (href) findings.addStyleSheet(href, findAttribute(element, 'integrity'));
}

function scanAttribute(element: ScannedElement, attribute: HtmlAttribute, findings: DocumentFindings): void {
  const { name, value } = attribute;
  if (name === 'src' && element.name === 'img') return;
  if (name === 'style') findings.addStyleAttribute(attribute);
  else if (/^(?:xml:)?lang$/.test(name)) findings.addLanguage(toHanLanguage(value));
  else if (name === 'background' || (element.name === 'image' && IMAGE_ATTRIBUTES.has(name)))
    findings.addImage(attribute);
  else if (name === 'srcset') findings.isDynamic ||= element.name === 'image';
  else if (/^(?:a|area)$/.test(element.name) && /^(?:xlink:)?href$/.test(name)) {
    if (/^\s*#/.test(value)) findings.result.needsUrl = true;
  } else if (/^(?:autofocus|shadowrootmode)$/.test(name)) findings.isDynamic = true;
  else if (/^(?:xlink:)?href$/.test(name) && REFERRING.has(element.name))
    findings.isDynamic ||= !isInternal(trimSpaces(value));
  else if (EXTERNAL_URL.test(value) && scanCss(value).urls.some(({ url }) => !isInternal(url)))
    // fill, filter, mask … in SVG
    findings.isDynamic = true;
}
