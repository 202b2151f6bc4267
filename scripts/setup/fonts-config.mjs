/** The configuration of fontconfig. */
import { dirname, join } from 'node:path';

/** The folders of the fonts that systems install. */
export const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];

/** Families with the same metrics as fonts that documents name. */
const REPLACEMENTS = {
  'Liberation Sans': [
    'Arial',
    'Helvetica',
    'Helvetica Neue',
    'Arimo',
    'Verdana',
    'Tahoma',
    'Segoe UI',
    'Calibri',
    'Trebuchet MS',
  ],
  'Liberation Serif': ['Times New Roman', 'Times', 'Georgia', 'Cambria', 'Garamond', 'Tinos'],
  'Liberation Mono': ['Courier New', 'Courier', 'Consolas', 'Menlo', 'Cousine'],
};
const FALLBACKS = ['Droid Sans Fallback', 'WenQuanYi Micro Hei', 'Noto Color Emoji'];
/** Families for the generic names of CSS. */
const GENERIC = {
  'sans-serif': ['Liberation Sans', 'Open Sans', 'Noto Sans', ...FALLBACKS],
  serif: ['Liberation Serif', 'Noto Serif', ...FALLBACKS],
  monospace: ['Liberation Mono', 'Noto Sans Mono', ...FALLBACKS],
  'system-ui': ['Noto Sans', 'Liberation Sans', 'Open Sans'],
  emoji: ['Noto Color Emoji'],
};

/**
 * Formats the file for the fonts of the system, of the browser, and those unpacked into `folder`.
 */
export function formatFontsConfig(folder, chromiumPath) {
  const folders = [
    join(folder, 'usr', 'share', 'fonts'),
    ...SYSTEM_FOLDERS,
    ...(chromiumPath ? [join(dirname(chromiumPath), 'fonts')] : []),
  ];
  return `${[
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `  <dir>${path}</dir>`),
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...Object.entries(REPLACEMENTS).flatMap(([family, names]) =>
      names.map((name) => formatReplacement(name, family)),
    ),
    ...Object.entries(GENERIC).map(([name, families]) => formatAlias(name, families)),
    '</fontconfig>',
  ].join('\n')}\n`;
}

function formatReplacement(name, family) {
  return `  <match target="pattern"><test qual="any" name="family"><string>${name}</string></test><edit name="family" mode="append" binding="same"><string>${family}</string></edit></match>`;
}

function formatAlias(name, families) {
  const preferred = families.map((family) => `<family>${family}</family>`).join('');
  return `  <alias><family>${name}</family><prefer>${preferred}</prefer></alias>`;
}
