/** Adds to a page's metadata what only its favicon, its image and its oEmbed response can tell. */
import { fetchOembed } from '../oembed/fetch-oembed.ts';
import { listDeclaredIcons, sortFavicons } from '../page/favicon.ts';
import type { PageDetails, PageImage, PageMetadata, ProbedImages } from '../page/page-metadata.ts';
import { PageValues } from '../page/page-values.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { type ObjectContext, probeImages } from './fetch-object.ts';

export interface MetadataWithObjects {
  result: PageMetadata;
  /** False if the deadline or the account's shares left something out: such a result is not cached. */
  isComplete: boolean;
}

/** One request less than for an image: `/favicon.ico` is always among the candidates. */
const MAX_DECLARED_ICONS = 3;

/** Returns `metadata` with what the request wants to know about its objects, fetched side by side. */
export async function addObjects(
  metadata: PageMetadata,
  page: ScannedPage | null,
  wanted: { probe?: boolean; oembed?: boolean },
  context: ObjectContext,
): Promise<MetadataWithObjects> {
  const { details } = metadata;
  if (details === undefined || page === null || (wanted.probe !== true && wanted.oembed !== true))
    return { result: metadata, isComplete: true };
  const [probed, embedded] = await Promise.all([
    wanted.probe === true ? probe(metadata, page, context) : null,
    wanted.oembed === true ? fetchOembed(details, context) : null,
  ]);
  const isComplete =
    probed?.favicon.exists !== null && probed?.image?.exists !== null && embedded?.isComplete !== false;
  const result = {
    ...metadata,
    favicon: probed?.favicon.url ?? metadata.favicon,
    details: {
      ...details,
      image: findImage(details, probed),
      probed,
      oembedResponse: embedded?.response ?? null,
    },
  };
  return { result, isComplete };
}

/** Returns the image of the page: of the checked ones the first that exists, if one does. */
function findImage({ image, images }: PageDetails, probed: ProbedImages | null): PageImage | null {
  const checked = probed?.image;
  return (checked?.exists === true ? images.find(({ url }) => url === checked.url) : null) ?? image;
}

async function probe(
  { details }: PageMetadata,
  page: ScannedPage,
  context: ObjectContext,
): Promise<ProbedImages> {
  const { finalUrl } = page.head;
  const values = page.html === null ? null : new PageValues(page.html, finalUrl);
  const icons = pickIcons(sortFavicons(listDeclaredIcons(values, page.head), finalUrl));
  const images = [...new Set(details?.images.map(({ url }) => url))];
  const [favicon, image] = await Promise.all([probeImages(icons, context), probeImages(images, context)]);
  // The last icon is `/favicon.ico`, so there is always one.
  return { favicon: favicon!, image };
}

/** Returns the icons to probe: the best to fetch, the best `data:` icons, and `/favicon.ico` as the last. */
function pickIcons(icons: readonly string[]): string[] {
  const isData = (url: string) => url.startsWith('data:');
  const declared = icons.slice(0, -1);
  return [
    ...declared.filter((url) => !isData(url)).slice(0, MAX_DECLARED_ICONS),
    ...declared.filter(isData).slice(0, MAX_DECLARED_ICONS),
    ...icons.slice(-1),
  ];
}
