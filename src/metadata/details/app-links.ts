/** Lists the apps that can open a page: App Links, Twitter app cards, app banners and links to apps. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { parseUrl } from '../page/text.ts';
import type { DeclaredLink } from './declared-links.ts';

type AppLink = PageDetails['appLinks'][number];
type Platform = AppLink['platform'];

/** The keys of each platform, best first. */
const SOURCES: readonly { platform: Platform; name: string[]; id: string[]; url: string[] }[] = [
  {
    platform: 'ios',
    name: ['al:ios:app_name'],
    id: ['al:ios:app_store_id'],
    url: ['al:ios:url'],
  },
  {
    platform: 'iphone',
    name: ['al:iphone:app_name', 'twitter:app:name:iphone'],
    id: ['al:iphone:app_store_id', 'twitter:app:id:iphone'],
    url: ['al:iphone:url', 'twitter:app:url:iphone'],
  },
  {
    platform: 'ipad',
    name: ['al:ipad:app_name', 'twitter:app:name:ipad'],
    id: ['al:ipad:app_store_id', 'twitter:app:id:ipad'],
    url: ['al:ipad:url', 'twitter:app:url:ipad'],
  },
  {
    platform: 'android',
    name: ['al:android:app_name', 'twitter:app:name:googleplay'],
    id: ['al:android:package', 'twitter:app:id:googleplay'],
    url: ['al:android:url', 'twitter:app:url:googleplay'],
  },
  {
    platform: 'windows',
    name: ['al:windows_universal:app_name', 'al:windows:app_name', 'al:windows_phone:app_name'],
    id: ['al:windows_universal:app_id', 'al:windows:app_id', 'al:windows_phone:app_id'],
    url: ['al:windows_universal:url', 'al:windows:url', 'al:windows_phone:url'],
  },
  { platform: 'web', name: [], id: [], url: ['al:web:url'] },
];

/** Returns at most one app for each platform. */
export function listAppLinks(values: PageValues, links: readonly DeclaredLink[]): AppLink[] {
  const banners = {
    ios: parseBanner(values, 'apple-itunes-app'),
    android: parseBanner(values, 'google-play-app'),
  };
  const linked = { ios: findLinkedApp(links, 'ios-app'), android: findLinkedApp(links, 'android-app') };
  const apps: AppLink[] = [];
  for (const { platform, name, id, url } of SOURCES) {
    const others = platform === 'ios' || platform === 'android' ? [banners[platform], linked[platform]] : [];
    const app = {
      platform,
      name: values.findText(name, true),
      id: values.findText(id, true) ?? firstOf(others.map((other) => other.id)),
      url: findAppUrl(values, url) ?? firstOf(others.map((other) => other.url)),
    };
    if (app.name !== null || app.id !== null || app.url !== null) apps.push(app);
  }
  return apps;
}

interface FoundApp {
  id: string | null;
  url: string | null;
}

/** Parses an app banner: `app-id=123, app-argument=scheme://path`. */
function parseBanner(values: PageValues, key: string): FoundApp {
  const text = values.findText([key], true) ?? '';
  const id = /(?:^|[,;\s])app-id\s*=\s*([^,;\s]+)/i.exec(text)?.[1] ?? null;
  const url = /(?:^|[,;\s])app-argument\s*=\s*([^,\s]+)/i.exec(text)?.[1];
  return { id, url: url === undefined ? null : parseAppUrl(url, values.base) };
}

/** Finds a link to an app: `android-app://package/scheme/host/path`, `ios-app://id/scheme/host/path`. */
function findLinkedApp(links: readonly DeclaredLink[], scheme: string): FoundApp {
  for (const link of links) {
    if (!link.rel.includes('alternate')) continue;
    const match = /^([a-z-]+):\/\/([^/]+)(?:\/([a-z][a-z0-9+.-]*)\/(.*))?$/i.exec(link.getHref().trim());
    if (match?.[1]?.toLowerCase() !== scheme) continue;
    const url = match[3] === undefined ? null : parseAppUrl(`${match[3]}://${match[4]}`, 'about:blank');
    return { id: match[2]!, url };
  }
  return { id: null, url: null };
}

function findAppUrl(values: PageValues, keys: readonly string[]): string | null {
  for (const key of keys) {
    for (const text of values.listRawTexts(key)) {
      const url = parseAppUrl(text, values.base);
      if (url !== null) return url;
    }
  }
  return null;
}

/** Schemes that run script or read files, not apps. */
const NOT_APPS = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'view-source:',
]);

/** Parses a URL of any scheme that an app may have. */
function parseAppUrl(text: string, base: string): string | null {
  const url = parseUrl(text, base);
  return url === null || NOT_APPS.has(url.protocol) ? null : url.href;
}

function firstOf(texts: readonly (string | null)[]): string | null {
  return texts.find((text) => text !== null) ?? null;
}
