import { prepareScripts, type Page } from '#browser';

/** Uses what most documents need: fonts, tables, flex boxes, grids, gradients and SVG. */
const WARM_UP_HTML =
  '<!doctype html><style>td{border:1px solid;padding:2px}div{display:flex;gap:4px;background:linear-gradient(#eee,#ddd)}p{display:grid;font-family:Arial,Helvetica,sans-serif}</style><h1>A</h1><div><b>b</b><i>c</i></div><p>d <b>e</b> € 1,234.50 <i>f</i></p><table><thead><tr><th>g<tbody><tr><td>h</table><svg width=9 height=9><path d="M0 0h9v9z"/></svg>';

/** The second print is still faster than the first. */
const PRINTS = 2;

/** Prints a small document of our own: the first print of a page is a third slower. */
export async function warmUp(page: Page): Promise<void> {
  for (let count = 0; count < PRINTS; count += 1) await printSample(page);
  await prepareScripts(page);
}

async function printSample(page: Page): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  page.onLoad = () => loaded.resolve();
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: WARM_UP_HTML });
  await Promise.race([loaded.promise, page.whenLost]);
  await page.sendForData('Page.printToPDF', {});
}
