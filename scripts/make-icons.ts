/**
 * npm run docs -- icons: makes the icons of the dashboard from its mark, dashboard/public/favicon.svg.
 * Touch icons are square: the system rounds their corners.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '../test/dashboard/open-dashboard.ts';

const PUBLIC = join(import.meta.dirname, '../dashboard/public');

const ICONS = [
  { name: 'icon-32.png', size: 32, isSquare: false },
  { name: 'apple-touch-icon.png', size: 180, isSquare: true },
  { name: 'icon-512.png', size: 512, isSquare: false },
] as const;

const mark = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
const browser = await launchBrowser();
try {
  for (const { name, size, isSquare } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const svg = (isSquare ? mark.replace(' rx="7"', '') : mark).replace('<svg ', `<svg width="${size}" `);
    await page.setContent(`<body style="margin:0;line-height:0">${svg}`);
    await writeFile(join(PUBLIC, name), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
