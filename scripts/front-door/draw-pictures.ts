/** Draws the pictures of the front door in Chromium: the pages of the PDF and the cover of the link card. */
import type { Browser, Page } from 'playwright-core';

/** The width of a picture: twice its width on the page, for sharp screens. */
const PDF_WIDTH_PX = 460;

/** Draws the pages of a PDF with pdf.js, which the site serves. Returns a WebP file for each. */
export async function drawPdfPages(
  browser: Browser,
  origin: string,
  pdf: Uint8Array,
  { widthPx = PDF_WIDTH_PX, password }: { widthPx?: number; password?: string | undefined } = {},
): Promise<Buffer[]> {
  await using page = await openPage(browser, `${origin}/`);
  const base64 = Buffer.from(pdf).toString('base64');
  const urls = await page.value.evaluate<string[]>(`(async () => {
    const pdfjs = await import('/pdfjs/pdf.min.mjs');
    pdfjs.GlobalWorkerOptions.workerSrc = '/pdfjs/pdf.worker.min.mjs';
    const data = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
    const file = await pdfjs.getDocument({ data, useWasm: false, password: ${JSON.stringify(password)} }).promise;
    const pictures = [];
    for (let number = 1; number <= file.numPages; number += 1) {
      const sheet = await file.getPage(number);
      const scale = ${widthPx} / sheet.getViewport({ scale: 1 }).width;
      const viewport = sheet.getViewport({ scale });
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await sheet.render({ canvas, viewport }).promise;
      pictures.push(canvas.toDataURL('image/webp', 0.9));
    }
    return pictures;
  })()`);
  return urls.map(decodeDataUrl);
}

/** Draws an SVG at its own size. Returns a WebP file. */
export async function drawSvg(browser: Browser, origin: string, svg: string): Promise<Buffer> {
  await using page = await openPage(browser, `${origin}/`);
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const picture = await page.value.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = '${url}';
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.9);
  })()`);
  return decodeDataUrl(picture);
}

async function openPage(browser: Browser, url: string): Promise<AsyncDisposable & { value: Page }> {
  const value = await browser.newPage();
  await value.goto(url);
  return { value, [Symbol.asyncDispose]: () => value.close() };
}

function decodeDataUrl(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
