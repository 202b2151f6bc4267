/** The documents of libraries that draw in the browser, and the site that has their files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resource, ResourceRequest } from '#pdf';
import { bundleApp } from '../fixtures/bundle-app.ts';
import { installLibraries } from '../fixtures/install-libraries.ts';

const COMMON = join(import.meta.dirname, '../fixtures');
/** Libraries that only a full run of the tests installs. */
const MORE = join(COMMON, 'more-libraries');
const TYPES: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
  woff: 'font/woff',
  woff2: 'font/woff2',
  png: 'image/png',
};

/** Data that a document loads. */
export const ITEMS = ['apples', 'pears', 'plums'];

/** The base URL of the documents. */
export const LIBRARY_URL = 'https://libraries.example/';

/** Serves the files of installed libraries. */
export class LibrarySite {
  readonly #packages: readonly string[];
  /** Resources that are no file of a package, by path. */
  readonly #made = new Map<string, string | Promise<string>>([['/items.json', JSON.stringify(ITEMS)]]);

  private constructor(packages: readonly string[]) {
    this.#packages = packages;
  }

  /** Installs the libraries with npm, once for each lock. Throws if npm has no registry. */
  static async open({ withMore }: { withMore: boolean }): Promise<LibrarySite> {
    const packages = [await installLibraries()];
    if (withMore) packages.push(await installLibraries(MORE));
    return new LibrarySite(packages);
  }

  /** Returns a document: its file, and after a colon what it draws with. */
  async loadDocument(name: string): Promise<string> {
    const [file, renderer = ''] = name.split(':');
    const path = `documents/${file}.html`;
    const html = await readFile(join(COMMON, path), 'utf8').catch(() => readFile(join(MORE, path), 'utf8'));
    return html.replaceAll('RENDERER', renderer);
  }

  /** Fetches a resource of a document. */
  async serve({ url }: ResourceRequest): Promise<Resource> {
    const { pathname } = new URL(url);
    const type = TYPES[pathname.split('.').at(-1) ?? ''];
    const body = await (pathname.startsWith('/tiles/') ? drawTile(pathname) : this.#load(pathname));
    const headers: [string, string][] = [['access-control-allow-origin', '*']];
    if (type !== undefined) headers.push(['content-type', type]);
    return { url, status: 200, headers, body: Buffer.from(body) };
  }

  /** Returns the file of a package, or an app that is bundled for the first document that loads it. */
  async #load(path: string): Promise<string | Buffer> {
    const [, app] = /^\/bundles\/(react|svelte)\.js$/.exec(path) ?? [];
    if (app !== undefined && !this.#made.has(path))
      this.#made.set(path, bundleApp(`${app}-app.js`, this.#packages[0] ?? ''));
    const made = this.#made.get(path);
    if (made !== undefined) return made;
    return Promise.any(this.#packages.map((folder) => readFile(join(folder, path))));
  }
}

/** A tile of one color, with its path. */
function drawTile(path: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#ffc0cb"/><text x="20" y="130">${path}</text></svg>`;
}
