/** Opens other programs that turn HTML into PDFs. */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ChromiumBinary } from '../../src/browser/launch/find-chromium.ts';
import { installPeers } from '../install-peers.ts';
import type { Contender } from './contender.ts';

const PUPPETEER_PDF = {
  format: 'A4',
  margin: { top: '20mm', bottom: '20mm', left: '15mm', right: '15mm' },
  printBackground: true,
} as const;

// The parts in use of puppeteer-core, which is installed only for the benchmark.
interface PuppeteerPage {
  setContent(html: string): Promise<void>;
  pdf(options: object): Promise<Uint8Array>;
  close(): Promise<void>;
}
interface PuppeteerBrowser {
  newPage(): Promise<PuppeteerPage>;
  close(): Promise<void>;
}
interface Puppeteer {
  launch(options: object): Promise<PuppeteerBrowser>;
}

async function loadPuppeteer(): Promise<Puppeteer> {
  installPeers();
  const name: string = 'puppeteer-core';
  return ((await import(name)) as { default: Puppeteer }).default;
}

/** Opens puppeteer twice: with a browser that stays, and with one for each document. */
export async function openPuppeteer(binary: ChromiumBinary): Promise<Contender[]> {
  const puppeteer = await loadPuppeteer();
  const options = {
    executablePath: binary.path,
    headless: 'shell',
    args: ['--no-sandbox'],
    env: {
      ...process.env,
      ...(binary.libraryFolder ? { LD_LIBRARY_PATH: binary.libraryFolder } : {}),
      ...(binary.fontconfigFile ? { FONTCONFIG_FILE: binary.fontconfigFile } : {}),
    },
  };
  const print = async (browser: PuppeteerBrowser, html: string): Promise<Uint8Array> => {
    const page = await browser.newPage();
    try {
      await page.setContent(html);
      return await page.pdf(PUPPETEER_PDF);
    } finally {
      await page.close();
    }
  };
  const warm = await puppeteer.launch(options);
  return [
    { name: 'puppeteer, new page', render: (html) => print(warm, html), close: () => warm.close() },
    {
      name: 'puppeteer, launch per request',
      async render(html) {
        const browser = await puppeteer.launch(options);
        try {
          return await print(browser, html);
        } finally {
          await browser.close();
        }
      },
      close: () => Promise.resolve(),
    },
  ];
}

function isInstalled(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Opens a program of Debian, which is started for each document; null if it is not installed. */
function openProgram(
  name: string,
  command: string,
  args: readonly string[],
  skips: readonly string[] = [],
): Contender | null {
  if (!isInstalled(command)) {
    console.log(`(${name} is not installed and is skipped)`);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-pdf-'));
  let count = 0;
  return {
    name,
    skips,
    async render(html) {
      const base = join(folder, String(count++));
      writeFileSync(`${base}.html`, html);
      const child = spawn(command, [...args, `${base}.html`, `${base}.pdf`], {
        stdio: 'ignore',
        env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
      });
      await new Promise((resolve) => child.on('close', resolve));
      return readFileSync(`${base}.pdf`);
    },
    close: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
}

/** Opens the programs that are installed. */
export function openPrograms(): Contender[] {
  const programs = [
    openProgram('wkhtmltopdf', 'wkhtmltopdf', ['-q'], ['long']),
    openProgram('WeasyPrint', 'weasyprint', ['-q'], ['report', 'long']),
  ];
  return programs.filter((one) => one !== null);
}
