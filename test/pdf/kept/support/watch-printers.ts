/** Observes which renderer prints which document: the engine does not say so. */
import { Page } from '../../../../src/browser/pages/page.ts';

const printers: number[] = [];
let isWatching = false;

/** Observes the prints of all engines of this process from now on; those of warm-ups do not count. */
export function watchPrinters(): void {
  if (isWatching) return;
  isWatching = true;
  const { sendForData } = Page.prototype;
  Page.prototype.sendForData = function (this: Page, method, params) {
    // A warm-up prints without parameters.
    if (method === 'Page.printToPDF' && Object.keys(params ?? {}).length > 0) printers.push(this.pid);
    return sendForData.call(this, method, params);
  };
}

/** Returns the process ids of the renderers that printed since the last call, in the order of the prints. */
export function takePrinters(): number[] {
  return printers.splice(0);
}
