import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findChromium } from '#browser';
import type { PdfEngine } from '#pdf';
import { generate, openEngine } from '../support/open-engine.ts';
import { shareEngine } from '../support/shared-engine.ts';
import { paintPdf, readFonts, readPdf } from '../support/read-pdf.ts';

const EM = 40;
/** Pixels of a CSS pixel. */
const SCALE = 2;

/** The painted parts of a picture, in CSS pixels. */
interface Ink {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The number of pixels with a strong color. */
  colored: number;
  pixels: string;
}

void describe('the fonts', () => {
  let engine: PdfEngine;
  before(async () => {
    engine = await shareEngine();
  });

  /** Prints one line at the upper left corner, and measures what was painted. */
  async function paint(text: string, style = '', lang = 'en'): Promise<Ink> {
    const html = `<!DOCTYPE html><html lang="${lang}"><style>@page{margin:0;size:160px 160px}body{margin:0}p{margin:0;height:150px;font-size:${EM}px;line-height:${EM}px;${style}}</style><p>${text}`;
    const { pdf } = await generate(engine, { html });
    const [picture] = await paintPdf(pdf, 96 * SCALE, 1);
    assert.ok(picture);
    return measureInk(picture);
  }

  /** Returns the names of the fonts of a document. */
  async function listFonts(html: string): Promise<string[]> {
    return readFonts((await generate(engine, { html })).pdf);
  }

  for (const [family, names] of Object.entries({
    Arimo: ['Arial', 'Helvetica', 'Segoe UI', 'Roboto', 'Tahoma', 'Trebuchet MS', 'sans-serif', 'system-ui'],
    Caladea: ['Cambria'],
    Carlito: ['Calibri'],
    Cousine: ['Courier', 'Courier New', 'Consolas', 'monospace'],
    DejaVuSans: ['Verdana'],
    Gelasio: ['Georgia'],
    NotoSans: ['Noto Sans', 'Open Sans'],
    Tinos: ['Times', 'Times New Roman', 'serif'],
  })) {
    void it(`${family} is printed for ${names.join(', ')}`, async () => {
      for (const name of names) {
        const quoted = /^[a-z-]+$/.test(name) ? name : `'${name}'`;
        const style = `font-family:${quoted}`;
        const fonts = await listFonts(`<p style="${style}">Text <b>bold</b> <i>italic</i>`);
        assert.deepEqual(
          fonts.filter((font) => !font.includes(`${family}-`) && !font.endsWith(family)),
          [],
          name,
        );
        assert.ok(
          fonts.some((font) => font.endsWith(`${family}-Bold`)),
          `${name}: ${fonts.join()}`,
        );
      }
    });
  }

  void it('a family that does not exist is skipped', async () => {
    const fonts = await listFonts('<p style="font-family:NoSuchFont,Calibri">Text');
    assert.ok(
      fonts.every((font) => font.includes('Carlito')),
      fonts.join(),
    );
  });

  void it('Chinese, Japanese and Korean characters have glyphs of their own', async () => {
    const characters = ['漢', '汉', '国', '龘', 'あ', 'ヴ', '한', '뷁', '、', '＄', 'ㄅ'];
    const pictures = new Set<string>();
    for (const character of characters) pictures.add((await paint(character)).pixels);
    assert.equal(pictures.size, characters.length);
    const { pdf } = await generate(engine, { html: `<p>${characters.join('')}` });
    const text = (await readPdf(pdf)).pages[0]?.text ?? '';
    assert.equal(text.replace(/\s/g, '').normalize('NFKC'), characters.join('').normalize('NFKC'));
  });

  void it('vertical Japanese has the vertical forms of its punctuation', async () => {
    const vertical = 'writing-mode:vertical-lr';
    const dash = await paint('ー', vertical, 'ja');
    assert.ok(dash.height > 2 * dash.width, `ー is ${dash.width} × ${dash.height}`);
    const comma = await paint('、', vertical, 'ja');
    assert.ok(comma.left > EM / 2 && comma.top < EM / 2, `、 is at ${comma.left}, ${comma.top}`);
    const kana = await paint('っ', vertical, 'ja');
    assert.ok(kana.top < (await paint('っ', '', 'ja')).top, `っ is at ${kana.top}`);
    const bracket = await paint('「', vertical, 'ja');
    assert.ok(bracket.width > bracket.height, `「 is ${bracket.width} × ${bracket.height}`);
    assert.notEqual((await paint('「', '', 'ja')).pixels, bracket.pixels);
  });

  void it('emoji are printed in color, sequences as one picture', async () => {
    for (const emoji of ['😀', '❤️', '👩‍💻', '👍🏽', '🏳️‍🌈', '1️⃣']) {
      const ink = await paint(emoji, 'font-family:Arial');
      assert.ok(ink.colored > 200, `${emoji} has ${ink.colored} colored pixels`);
      assert.ok(ink.width > EM / 2 && ink.width < 1.4 * EM, `${emoji} is ${ink.width} wide`);
    }
  });

  void it('symbols that are text by default are printed as text', async () => {
    for (const symbol of ['☎', '✔', '→', '√', '☐', '♠', '₿', '│']) {
      const ink = await paint(symbol, 'font-family:Arial');
      assert.equal(ink.colored, 0, symbol);
      assert.notEqual(ink.pixels, (await paint('\u{10FFFE}', 'font-family:Arial')).pixels, symbol);
    }
  });
});

void describe('the configuration of the fonts', () => {
  const cache = mkdtempSync(join(tmpdir(), 'fonts-test-'));
  chmodSync(cache, 0o755);
  after(() => rmSync(cache, { recursive: true, force: true }));

  /** Opens an engine with the installed configuration, and `names` as families of the font `font`. */
  async function openWith(mode: 'append' | 'assign', font: string, names: string[]): Promise<PdfEngine> {
    const installed = (await findChromium({ chromiumPath: null, cacheDir: null }))?.fontconfigFile;
    assert.ok(installed);
    const root = join(cache, mode);
    const folder = join(root, 'fonts-9');
    mkdirSync(folder, { recursive: true });
    const families = names.map((name) => `<string>${name}</string>`).join('');
    const rule = `<match target="scan"><test name="family"><string>${font}</string></test><edit name="family" mode="${mode}">${families}</edit></match>`;
    const config = readFileSync(installed, 'utf8')
      .replace(/<cachedir>.*<\/cachedir>/, `<cachedir>${join(folder, 'cache')}</cachedir>`)
      .replace('</fontconfig>', `${rule}</fontconfig>`);
    writeFileSync(join(folder, 'fonts.conf'), config);
    writeFileSync(join(folder, 'manifest.json'), '{}');
    return openEngine({ chromiumCacheDir: root });
  }

  void it('lang selects the font of its region', async () => {
    // Noto Sans stands for the fonts of all regions, so that the test needs no download.
    const regions = ['JP', 'KR', 'TC', 'HK'].map((region) => `Noto Sans ${region}`);
    const engine = await openWith('append', 'Noto Sans', regions);
    try {
      // Noto Sans and Noto Sans Devanagari both have these letters. Each is used once, as Chromium remembers
      // the font of a character.
      const letters = 'अ आ इ ई उ ऊ ए ऐ ओ औ'.split(' ');
      const regional = ['ja', 'ja-JP', 'ko', 'zh-TW', 'zh-Hant', 'zh-HK', 'zh-Hant-HK'];
      for (const [langs, expected] of [
        [regional, 'NotoSans-Regular'],
        [['zh-CN', 'en', 'hi'], 'NotoSansDevanagari-Regular'],
      ] as const) {
        const html = langs.map((lang) => `<p lang="${lang}">${letters.pop()}`).join('');
        const fonts = await readFonts((await generate(engine, { html })).pdf);
        assert.deepEqual(fonts, [`AAAAAA+${expected}`], langs.join());
      }
    } finally {
      await engine.close();
    }
  });

  void it('a font that really has a name wins over its replacement', async () => {
    const engine = await openWith('assign', 'Noto Sans Thai', ['Verdana']);
    try {
      const { pdf } = await generate(engine, { html: '<p style="font-family:Verdana">Text' });
      assert.deepEqual(await readFonts(pdf), ['AAAAAA+NotoSansThai-Regular']);
    } finally {
      await engine.close();
    }
  });
});

function measureInk({
  width,
  height,
  data,
}: {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}): Ink {
  let [left, right, top, bottom, colored] = [width, 0, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red = 255, green = 255, blue = 255] = data.subarray((y * width + x) * 4);
      if (Math.min(red, green, blue) > 200) continue;
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) colored += 1;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  const rows: string[] = [];
  for (let y = top; y < bottom; y += 1)
    rows.push(Buffer.from(data.subarray((y * width + left) * 4, (y * width + right) * 4)).toString('latin1'));
  return {
    left: left / SCALE,
    top: top / SCALE,
    width: (right - left) / SCALE,
    height: (bottom - top) / SCALE,
    colored,
    pixels: rows.join('\n'),
  };
}
