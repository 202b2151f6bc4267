/** Encodes pictures as WebP, with the browser that draws them. */
import type { Browser, Page } from 'playwright-core';

/** Draws HTML in a window of this width. Returns a WebP file of the element that `selector` matches. */
export async function drawHtml(
  browser: Browser,
  html: string,
  { width, selector, scale = 1 }: { width: number; selector: string; scale?: number },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, deviceScaleFactor: scale });
  try {
    await page.setContent(html, { waitUntil: 'networkidle' });
    const png = await page.locator(selector).screenshot();
    return await encodeWebp(page, png);
  } finally {
    await page.close();
  }
}

/** Converts a PNG file to WebP on a page whose policy allows `data:` images. */
export async function encodeWebp(page: Page, png: Uint8Array, quality = 0.86): Promise<Buffer> {
  const base64 = Buffer.from(png).toString('base64');
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${base64}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${quality});
  })()`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
