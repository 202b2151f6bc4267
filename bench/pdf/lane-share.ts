/**
 * Counts the HTML files in folders, such as clones of repositories, that would take the static lane: `npm run
 * bench:pdf:lanes -- folder …`. Lists those without script and frame that would not. Nothing is rendered, and
 * resources are taken to load.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanDocument } from '../../src/pdf/resources/scan-document.ts';

/** Shorter files are fragments. */
const MIN_LENGTH = 200;

let total = 0;
let scriptless = 0;
let isStatic = 0;
for (const folder of process.argv.slice(2)) {
  for (const path of globSync('**/*.{html,htm}', { cwd: folder })) {
    const html = readFileSync(join(folder, path), 'utf8');
    if (html.length < MIN_LENGTH) continue;
    total += 1;
    const takesStaticLane = scanDocument(html, { javascript: true }) !== null;
    if (takesStaticLane) isStatic += 1;
    if (/<script|<i?frame/i.test(html) && !takesStaticLane) continue;
    scriptless += 1;
    if (!takesStaticLane) console.log(`fresh: ${join(folder, path)}`);
  }
}
console.log(`${total} files, ${scriptless} without script and frame, ${isStatic} in the static lane`);
