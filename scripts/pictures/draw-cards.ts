/** Draws the link card of README from a response of the service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { drawHtml } from './picture-file.ts';
import type { Example } from './open-example.ts';

const COVER = join(import.meta.dirname, '../front-door/cover.svg');

const STYLE = `<style>
  body { margin: 0; font: 15px/1.5 Arial, sans-serif; color: #14171a }
  main { display: inline-block; box-sizing: border-box; width: 460px; padding: 24px; background: #eceee8 }
  article { overflow: hidden; border-radius: 12px; background: #fff; box-shadow: 0 1px 2px #14171a40, 0 6px 20px #14171a26 }
  article img { display: block; width: 100% }
  article div { padding: 14px 18px 16px }
  small { color: #5b6166 }
  h1 { font-size: 18px; margin: 2px 0 4px }
  p { margin: 0 }
</style>`;

interface Metadata {
  url: string;
  og: { title: string; description: string; image: string; site_name: string };
}

/** Calls `write` with the picture. */
export async function drawCards(
  browser: Browser,
  { service, site }: Example,
  write: (name: string, content: Uint8Array) => Promise<void>,
): Promise<void> {
  const path = `/v1/meta?url=${encodeURIComponent(site.url)}`;
  const response = await service.call(path, await service.createKey());
  const { og, url } = (await response.json()) as Metadata;
  // The site has no file at the address of its image: this is what the front door shows too.
  const cover = (await readFile(COVER)).toString('base64');
  const html = `${STYLE}<main><article><img src="data:image/svg+xml;base64,${cover}" alt="">
    <div><small>${og.site_name} · ${new URL(url).host}</small><h1>${og.title}</h1><p>${og.description}</p></div></article></main>`;
  await write('link-card.webp', await drawHtml(browser, html, { width: 800, selector: 'main', scale: 2 }));
}
