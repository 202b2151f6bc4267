/**
 * A site whose files have other content for each version, under the same URLs. They may be cached for a year.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FetchResource, Resource } from '#pdf';
import { createIconFont } from '../../support/icon-font.ts';
import { NOT_SERVED } from '../../support/open-engine.ts';

/** The origin of the site. */
export const SITE = 'https://site.example';

/** The content of the files: for a document that attacks, and for one that looks for what is left. */
export type Version = 'attack' | 'probe';

const SLOW_MS = 300;

const svg = (width: number, color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"><rect width="${width}" height="20" fill="${color}"/></svg>`;

/** Writes into all storage of the site's own origin. */
const PLANT = `<p>x<script>
  localStorage.kept = sessionStorage.kept = name = 'attack';
  document.cookie = 'kept=attack; max-age=9999';
  document.cookie = 'kept2=attack; max-age=9999; samesite=none; secure; partitioned';
  indexedDB.open('kept');
  caches.open('kept').then((cache) => cache.put('/data.txt', new Response('attack')));
  history.pushState('kept', '', '/kept');
</script>`;

/** Writes without end, and speaks to its parents. */
const LOOP = `<p>x<script>
  setInterval(() => { parent.postMessage('kept', '*'); new BroadcastChannel('kept').postMessage('kept'); }, 20);
  addEventListener('pagehide', () => navigator.sendBeacon('/late.txt', 'kept'));
</script>`;

/** Headers that Chromium keeps for later requests or documents. */
const ORDERS: [string, string][] = [
  ['clear-site-data', '"cache", "cookies", "storage", "executionContexts"'],
  ['strict-transport-security', 'max-age=99999; includeSubDomains'],
  ['accept-ch', 'sec-ch-viewport-width, device-memory'],
  ['critical-ch', 'device-memory'],
  ['alt-svc', 'h3=":443"; ma=9999'],
  ['nel', '{"report_to":"kept","max_age":9999}'],
  ['report-to', '{"group":"kept","max_age":9999,"endpoints":[{"url":"https://site.example/late.txt"}]}'],
  ['use-as-dictionary', 'match="/*"'],
  ['access-control-max-age', '9999'],
  ['set-cookie', 'kept=attack; Max-Age=99999; Domain=site.example'],
];

type File = [type: string, body: string | Uint8Array, ...headers: [string, string][]];

const BOTH: Readonly<Record<string, File>> = {
  '/plant.html': ['text/html', PLANT],
  '/loop.html': ['text/html', LOOP],
  '/orders.txt': ['text/plain', 'orders', ...ORDERS],
  '/slow.txt': ['text/plain', 'slow'],
  '/sw.js': ['text/javascript', 'onfetch = (event) => event.respondWith(new Response("attack"))'],
  '/kept-font.ttf': ['font/ttf', createIconFont()],
};

const VERSIONS: Readonly<Record<Version, Readonly<Record<string, File>>>> = {
  attack: {
    ...BOTH,
    '/style.css': ['text/css', '.styled { width: 111px; color: red }'],
    '/image.svg': ['image/svg+xml', svg(60, 'red')],
  },
  probe: {
    ...BOTH,
    '/style.css': ['text/css', '.styled { width: 222px; color: blue }'],
    '/image.svg': ['image/svg+xml', svg(30, 'green')],
    '/font.ttf': ['font/ttf', createIconFont()],
  },
};

/** Returns the file of a path in a version; null if there is none. */
function findFile(pathname: string, version: Version): File | null {
  switch (pathname) {
    case '/':
    case '/frame.html':
      return ['text/html', `<p>${version}`];
    case '/data.txt':
    case '/moved.txt':
      return ['text/plain', version];
    case '/script.js':
      return ['text/javascript', `globalThis.version = '${version}'`];
    case '/module.js':
      return ['text/javascript', `export const version = '${version}'`];
    case '/worker.js':
      return ['text/javascript', `postMessage('${version}')`];
    default:
      return VERSIONS[version][pathname] ?? null;
  }
}

/** A site, the version that it serves now, and the URLs that were requested since it was set. */
export class ChangingSite {
  requested: string[] = [];
  #version: Version = 'attack';

  /** Serves the files of a version from now on, and forgets the requests. */
  serve(version: Version): void {
    this.#version = version;
    this.requested = [];
  }

  readonly fetchResource: FetchResource = async ({ url }) => {
    this.requested.push(url);
    const { origin, pathname } = new URL(url);
    const version = this.#version;
    if (pathname === '/slow.txt') await wait(SLOW_MS);
    const file = origin === SITE ? findFile(pathname, version) : null;
    if (file === null) return NOT_SERVED;
    const [type, body, ...others] = file;
    const isMoved = pathname === '/moved.txt' && version === 'attack';
    const headers = isMoved ? [...others, ['location', `${SITE}/data.txt`] as [string, string]] : others;
    const resource: Resource = {
      url,
      status: isMoved ? 301 : 200,
      headers: [['content-type', type], ['cache-control', 'public, max-age=31536000, immutable'], ...headers],
      body: Buffer.from(body),
    };
    return resource;
  };
}
