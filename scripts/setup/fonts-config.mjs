/** The configuration of fontconfig. */
import { dirname, join } from 'node:path';
import { REGIONS } from './font-packages.mjs';

/** The folder of the regional fonts, in the folder of the cache. */
export const REGIONAL_FOLDER = 'fonts-regional';

/** The folders of the system's fonts. */
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];

/**
 * The names by which documents ask for each family. docs/reference/fonts.md says how much the widths differ.
 */
const ALIASES = {
  Arimo: [
    'Arial',
    'Helvetica',
    'Helvetica Neue',
    'Liberation Sans',
    'Roboto',
    'Segoe UI',
    'Tahoma',
    'Trebuchet MS',
  ],
  Caladea: ['Cambria'],
  Carlito: ['Calibri'],
  Cousine: ['Consolas', 'Courier', 'Courier New', 'Liberation Mono', 'Menlo'],
  'DejaVu Sans': ['Verdana'],
  Gelasio: ['Georgia'],
  'Noto Sans': ['Droid Sans', 'Open Sans'],
  Tinos: ['Garamond', 'Liberation Serif', 'Times', 'Times New Roman'],
};

/** Families for the generic names of CSS. */
const GENERIC = {
  'sans-serif': 'Arimo',
  serif: 'Tinos',
  monospace: 'Cousine',
  'system-ui': 'Arimo',
  emoji: 'Noto Color Emoji',
};

/**
 * The families for characters that the named fonts lack: the first one that has it is used, and after these
 * any other. Noto Sans and DejaVu have symbols, but also scripts for which there are better fonts.
 */
const FALLBACKS = [
  'Arimo',
  'Noto Sans Devanagari',
  'Noto Sans',
  'Noto Naskh Arabic',
  'Noto Sans Armenian',
  'Noto Sans Georgian',
  'Noto Sans Lao',
  'DejaVu Sans',
  'Source Han Sans CN',
  'Source Han Sans KR',
  'Noto Color Emoji',
];

/** Formats the file for the fonts of the system, those in `folder` and the regional ones beside it. */
export function formatFontsConfig(folder) {
  const folders = [...SYSTEM_FOLDERS, join(folder, 'files'), join(dirname(folder), REGIONAL_FOLDER)];
  return `${[
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `  <dir>${path}</dir>`),
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...Object.entries(ALIASES).map(([family, names]) => formatAliases(family, names)),
    ...Object.entries(GENERIC).map(([name, family]) => formatGeneric(name, family)),
    // Chromium looks emoji up in this language.
    formatFallbacks('und-zsye', ['Noto Color Emoji']),
    ...Object.values(REGIONS).flatMap(({ family, langs }) =>
      langs.map((lang) => formatFallbacks(lang, [family])),
    ),
    formatFallbacks(null, FALLBACKS),
    '</fontconfig>',
  ].join('\n')}\n`;
}

/**
 * Adds the names to the font itself: a replacement in the pattern of a search would be refused by Chromium,
 * unless its own list has it. The version 0 makes a font that really has the name win.
 */
function formatAliases(family, names) {
  return `  <match target="scan"><test name="family">${formatString(family)}</test><edit name="family" mode="append">${names.map(formatString).join('')}</edit><edit name="fontversion" mode="assign"><int>0</int></edit></match>`;
}

function formatGeneric(name, family) {
  return `  <alias binding="strong"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`;
}

/** Looks the families up after those that were asked for, in documents whose `lang` contains `lang`. */
function formatFallbacks(lang, families) {
  const test = lang === null ? '' : `<test name="lang" compare="contains">${formatString(lang)}</test>`;
  return `  <match target="pattern">${test}<edit name="family" mode="append_last" binding="strong">${families.map(formatString).join('')}</edit></match>`;
}

function formatString(text) {
  return `<string>${text}</string>`;
}
