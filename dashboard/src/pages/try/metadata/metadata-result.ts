/** A result of getMetadata: its fields with their sources, and what previews show of it. */

type Text = string | null;

/** The members of the response that the page shows. */
export interface MetadataResult {
  url: string;
  title: Text;
  description: Text;
  favicon: Text;
  og: Record<'title' | 'description' | 'image' | 'url' | 'type' | 'site_name', Text>;
  twitter: Record<'card' | 'site' | 'title' | 'description' | 'image', Text>;
  charset: Text;
  language: Text;
  details?: MetadataDetails;
}

interface MetadataDetails {
  rendered: boolean;
  final_url: string;
  status: number;
  content_type: Text;
  redirects: { url: string; status: number }[];
  canonical: Text;
  blocked: Text;
  icons: { url: string }[];
  image: { url: string; width: number | null; height: number | null; alt: Text } | null;
  tags: Record<string, string[]>;
  probed: { image: ProbedImage | null } | null;
}

interface ProbedImage {
  url: string;
  exists: boolean | null;
  type: Text;
  width: number | null;
  height: number | null;
}

/** The contents of a link preview. */
export interface Preview {
  /** The name of the site, else its host. */
  site: string;
  host: string;
  path: string;
  title: string;
  description: Text;
  /** The title and description that a search engine shows. */
  pageTitle: string;
  pageDescription: Text;
  image: PreviewImage | null;
  isLarge: boolean;
}

/** The picture of a preview, with its size if the page declares it or it was measured. */
export interface PreviewImage {
  url: string;
  width: number | null;
  height: number | null;
  alt: Text;
  /** False if the service found that there is no such image. */
  exists: boolean;
}

/** Returns what previews show, with the fallbacks that they use. */
export function describePreview(result: MetadataResult): Preview {
  const { og, twitter, details } = result;
  const url = parseUrl(details?.final_url ?? result.url);
  const host = url?.hostname ?? result.url;
  const title = og.title ?? twitter.title ?? result.title ?? host;
  return {
    site: og.site_name ?? host,
    host,
    path: (url?.pathname ?? '').split('/').filter(Boolean).map(decodePart).join(' › '),
    title,
    description: og.description ?? twitter.description ?? result.description,
    pageTitle: result.title ?? title,
    pageDescription: result.description,
    image: findImage(result),
    isLarge: twitter.card === 'summary_large_image' || twitter.card === null,
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function findImage({ og, twitter, details }: MetadataResult): PreviewImage | null {
  const { image, probed } = details ?? {};
  const url = probed?.image?.url ?? og.image ?? twitter.image ?? image?.url;
  if (url === undefined) return null;
  const declared = image?.url === url ? image : null;
  const measured = probed?.image?.url === url ? probed.image : null;
  return {
    url,
    width: measured?.width ?? declared?.width ?? null,
    height: measured?.height ?? declared?.height ?? null,
    alt: declared?.alt ?? null,
    exists: measured?.exists !== false,
  };
}

/** One field of the response. `source` is empty if the response does not tell it. */
export interface Field {
  name: string;
  value: Text;
  source: string;
  /** The last field of its group. */
  isLast?: boolean;
}

/** Lists the fields of the contract in their order. */
export function listFields(result: MetadataResult): Field[] {
  const { og, twitter, details } = result;
  const fields: Field[] = [
    { name: 'title', value: result.title, source: findTextSource(result, 'title', '<title>') },
    { name: 'description', value: result.description, source: findTextSource(result, 'description', 'meta') },
    { name: 'favicon', value: result.favicon, source: findIconSource(result), isLast: true },
    ...listGroup('og', og, details?.tags),
    ...listGroup('twitter', twitter, details?.tags),
    { name: 'charset', value: result.charset, source: findCharsetSource(result) },
    { name: 'language', value: result.language, source: '' },
  ];
  return fields.map((field) => (field.value === null ? { ...field, source: '' } : field));
}

const OTHER_TAGS: Record<string, readonly string[]> = {
  'og:image': ['og:image:url', 'og:image:secure_url'],
  'twitter:image': ['twitter:image:src'],
};

function listGroup(
  group: 'og' | 'twitter',
  members: Record<string, Text>,
  tags: MetadataDetails['tags'] = {},
): Field[] {
  const names = Object.keys(members);
  return names.map((name, index) => {
    const tag = `${group}:${name}`;
    const other = tag in tags ? undefined : OTHER_TAGS[tag]?.find((one) => one in tags);
    return {
      name: `${group}.${name}`,
      value: members[name] ?? null,
      source: other ?? tag,
      isLast: index === names.length - 1,
    };
  });
}

/**
 * Returns the source of the title or the description. The service falls back to Open Graph and Twitter tags:
 * text that differs from both is of the page itself. If it is the same, or without details, it is not known.
 */
function findTextSource(
  { details, ...result }: MetadataResult,
  name: 'title' | 'description',
  own: string,
): string {
  if (!details) return '';
  const value = result[name];
  const isTag = value === result.og[name] || value === result.twitter[name];
  return isTag ? '' : own;
}

function findIconSource({ favicon, details }: MetadataResult): string {
  if (!details || favicon === null) return '';
  if (details.icons.some(({ url }) => url === favicon)) return 'link rel=icon';
  return parseUrl(favicon)?.pathname === '/favicon.ico' ? 'default path' : '';
}

function findCharsetSource({ charset, details }: MetadataResult): string {
  const type = details?.content_type?.toLowerCase() ?? '';
  return charset !== null && type.includes(`charset=${charset}`) ? 'Content-Type' : '';
}

/** Returns the parsed URL, or null. `URL.parse` is missing in some browsers that the dashboard supports. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
