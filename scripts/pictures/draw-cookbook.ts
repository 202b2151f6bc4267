/** Draws a picture for each recipe of the PDF cookbook: the pages of the PDF side by side. */
import type { Browser } from 'playwright-core';
import type { TestApp } from '../../test/support/start-app.ts';
import { drawPdfPages } from '../front-door/draw-pictures.ts';
import { drawHtml } from './picture-file.ts';
import { cookRecipe, loadRecipes } from './recipes.ts';

/** The pages of a longer PDF are left out. */
const MOST_PAGES = 3;
const PAGE_WIDTH_PX = 900;

/** A PDF in a picture: its pages stand on a ground, with a shadow. */
export async function drawSheets(
  browser: Browser,
  origin: string,
  pdf: Uint8Array,
  password?: string,
): Promise<Buffer> {
  const drawn = await drawPdfPages(browser, origin, pdf, { widthPx: PAGE_WIDTH_PX, password });
  const pages = drawn.slice(0, MOST_PAGES);
  const images = pages.map((page) => `<img src="data:image/webp;base64,${page.toString('base64')}">`);
  const html = `<style>
    body { margin: 0 }
    main { display: inline-flex; align-items: center; gap: 24px; padding: 24px; background: #eceee8 }
    img { display: block; max-height: 460px; max-width: 460px; box-shadow: 0 1px 2px #14171a40, 0 6px 20px #14171a26 }
  </style><main>${images.join('')}</main>`;
  return drawHtml(browser, html, { width: 1440, selector: 'main', scale: 1.75 });
}

/** Calls `write` with the name and the content of each picture. */
export async function drawCookbook(
  browser: Browser,
  origin: string,
  service: TestApp,
  write: (name: string, content: Uint8Array) => Promise<void>,
): Promise<void> {
  const key = await service.createKey();
  for (const recipe of await loadRecipes()) {
    const { pdf, warnings } = await cookRecipe(recipe, service.url, key);
    if (warnings > 0) throw new Error(`${recipe.title}: ${warnings} warnings`);
    await write(recipe.picture, await drawSheets(browser, origin, pdf, recipe.password));
  }
}
