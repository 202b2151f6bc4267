import type { HtmlToken } from '#html';
import type { DocumentFindings } from '../document-findings.ts';
import { type ScannedElement, findAttribute, isInternal } from '../scanned-document.ts';
import { matchMedia } from './match-media.ts';
import {
  type ImageCandidate,
  listCandidates,
  selectCandidate,
  supportsImageType,
} from './select-candidate.ts';

/** A srcset without candidates. An empty value without quotes would take in what follows. */
const NO_SRCSET = ',';
/** More than any document needs. */
const MAX_REJECTED = 500;
const MAX_SOURCES = 100;
/** Images with a choice. They take ten times as long as others, and a document may have 1,000 parts. */
const MAX_CHOICES = 1_000;

/**
 * Selects the images of picture elements and srcset attributes as Chromium does, and leaves it no other
 * choice: of data: URLs it would load the one with the highest density. What is not certain needs a page of
 * its own.
 */
export class PictureScan {
  readonly #html: string;
  readonly #findings: DocumentFindings;
  /** The sources of the picture element that the scan is in; null outside of one. */
  #sources: ScannedElement[] | null = null;
  /** It is known what the sources so far are for: the image of the picture, or nothing. */
  #isDecided = false;
  #choices = 0;

  constructor(html: string, findings: DocumentFindings) {
    this.#html = html;
    this.#findings = findings;
  }

  /** The scan is in a picture element. */
  get isInside(): boolean {
    return this.#sources !== null;
  }

  /** Takes the next token. In a picture, only sources and then one image are certain to be its children. */
  checkToken({ kind, name, start, end }: HtmlToken): void {
    if (this.#sources !== null) {
      if (kind === 'end' && name === 'picture') this.#sources = null;
      else if (
        !isExpected(kind, name) &&
        (kind !== 'text' || /[^\t\n\f\r ]/.test(this.#html.slice(start, end)))
      )
        this.#refuseSources();
    } else if (kind === 'start' && name === 'picture') {
      this.#sources = [];
      this.#isDecided = false;
    }
  }

  /** Takes a source element. Without a picture it has no effect. */
  addSource(source: ScannedElement): void {
    if (this.#sources === null) return;
    this.#sources.push(source);
    if (this.#isDecided || this.#sources.length > MAX_SOURCES) this.#refuseSources();
  }

  /** Takes an img element. */
  addImage(image: ScannedElement): void {
    const sources = this.#sources ?? [];
    if (this.#sources !== null && this.#isDecided) this.#findings.isDynamic = true;
    if (this.#sources !== null) this.#sources = [];
    this.#isDecided = true;
    // Most images have only one candidate, and documents may have many of them.
    if (sources.length === 0 && !findAttribute(image, 'srcset')) return this.#addSrc(image);
    this.#choices += 1;
    if (this.#choices > MAX_CHOICES) this.#findings.isDynamic = true;
    const sets = [...sources, image].map((element) => this.#listCandidates(element));
    const index = sets.findIndex((set, at) => set.length > 0 && this.#isUsable(sources[at] ?? image));
    const selected = selectCandidate(sets[index] ?? []);
    for (const [at, element] of [...sources, image].entries())
      this.#replace(element, at === index ? selected : null);
    if (selected === null) return;
    this.#reject(sets.flat(), selected);
    if (sources.some(dependsOnViewport) && !isSameOnSheet(sources, sets)) this.#findings.isDynamic = true;
  }

  /** Sources that may not belong to an image: a template shows each image without them. */
  #refuseSources(): void {
    this.#findings.isDynamic = true;
    for (const source of this.#sources ?? []) this.#replace(source, null);
    this.#sources = [];
    this.#isDecided = true;
  }

  #addSrc(image: ScannedElement): void {
    const src = findAttribute(image, 'src');
    if (src) this.#findings.addImage(src);
  }

  #listCandidates(element: ScannedElement): readonly ImageCandidate[] {
    const get = (name: string): string => findAttribute(element, name)?.value ?? '';
    const src = element.name === 'source' ? '' : get('src');
    const { candidates, isUncertain } = listCandidates({ srcset: get('srcset'), sizes: get('sizes'), src });
    this.#findings.isDynamic ||= isUncertain;
    return candidates;
  }

  #isUsable(element: ScannedElement): boolean {
    if (element.name !== 'source') return true;
    const isOfMedia = matchMedia(findAttribute(element, 'media')?.value ?? '');
    const isOfType = supportsImageType(findAttribute(element, 'type')?.value ?? '');
    this.#findings.isDynamic ||= isOfMedia === null || isOfType === null;
    return isOfMedia === true && isOfType === true;
  }

  /** Leaves an element the selected candidate only, and no reason to select again for print. */
  #replace(element: ScannedElement, selected: ImageCandidate | null): void {
    const [srcset, src, media] = ['srcset', 'src', 'media'].map((name) => {
      const attribute = findAttribute(element, name);
      // One without a value may have no place for it.
      return attribute?.value === '' ? undefined : attribute;
    });
    if (srcset && (selected === null || selected.isSrc)) this.#findings.addText(srcset, NO_SRCSET);
    else if (srcset && selected !== null) this.#findings.addSrcset(srcset, selected);
    if (src && selected?.isSrc === true) this.#findings.addImage(src);
    if (media && element.name === 'source') this.#findings.addText(media, 'all');
  }

  /** Another candidate may be selected nevertheless if the browser has it already, or has to load nothing. */
  #reject(candidates: readonly ImageCandidate[], selected: ImageCandidate): void {
    const { rejectedImages } = this.#findings.result;
    for (const one of candidates) {
      if (one === selected || isShownAlike(one, selected)) continue;
      if (one.url === selected.url || isInternal(one.url)) this.#findings.isDynamic = true;
      rejectedImages.push(one.url);
    }
    if (rejectedImages.length > MAX_REJECTED) this.#findings.isDynamic = true;
  }
}

function isExpected(kind: HtmlToken['kind'], name: string): boolean {
  return (
    kind === 'comment' || ((kind === 'start' || kind === 'end') && (name === 'source' || name === 'img'))
  );
}

function isShownAlike(one: ImageCandidate, other: ImageCandidate): boolean {
  const isFixed = !one.descriptor.endsWith('w') && !other.descriptor.endsWith('w');
  const isEqual = one.url === other.url && one.density === other.density;
  return isEqual && (isFixed || one.descriptor === other.descriptor);
}

/** Checks whether the media queries of a source may match differently on the sheet. */
function dependsOnViewport(source: ScannedElement): boolean {
  return /width|height|orientation|ratio/i.test(findAttribute(source, 'media')?.value ?? '');
}

/**
 * Checks whether a picture looks the same whichever of its sets is selected: on the sheet, the size and the
 * density of another source apply to the image that is loaded.
 */
function isSameOnSheet(
  sources: readonly ScannedElement[],
  sets: readonly (readonly ImageCandidate[])[],
): boolean {
  const densities = sets.map((set) => selectCandidate(set)?.density ?? 1);
  return (
    new Set(densities).size === 1 &&
    !sets.flat().some(({ descriptor }) => descriptor.endsWith('w')) &&
    !sources.some((one) => findAttribute(one, 'width') ?? findAttribute(one, 'height'))
  );
}
