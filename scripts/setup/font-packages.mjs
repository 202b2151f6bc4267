/**
 * The npm packages of the fonts: package-lock.json has their hashes, docs/reference/fonts.md describes them.
 */

/** Regular and bold, with their italics: the other weights are not used. */
export const REGULAR_AND_BOLD = /\/(400Regular|700Bold)(_Italic)?\/[^/]+\.ttf$/;
const ALL = /\.(ttf|woff2)$/;

const GOOGLE_FONTS = [
  'arimo',
  'caladea',
  'carlito',
  'cousine',
  'gelasio',
  'noto-color-emoji',
  'noto-sans-armenian',
  'noto-sans-bengali',
  'noto-sans-devanagari',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-malayalam',
  'noto-sans-math',
  'noto-sans-myanmar',
  'noto-sans-oriya',
  'noto-sans-sinhala',
  'noto-sans-symbols-2',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-thai',
  'tinos',
];

/** Each package with the files that are installed. */
export const FONT_PACKAGES = [
  ...GOOGLE_FONTS.map((name) => ({ name: `@expo-google-fonts/${name}`, files: REGULAR_AND_BOLD })),
  { name: '@embedpdf/fonts-arabic', files: ALL },
  { name: '@embedpdf/fonts-latin', files: /\/NotoSans-(Regular|Bold|Italic|BoldItalic)\.ttf$/ },
  // Source Han Sans, the same design as Noto Sans CJK: Chinese with kana, and Korean.
  { name: '@librescore/fonts', files: ALL },
  { name: 'dejavu-fonts-ttf', files: /\/DejaVuSans(-Bold|-Oblique|-BoldOblique)?\.ttf$/ },
];

/**
 * The optional fonts for one region each, with glyphs as they are written there. `langs` are parts of the
 * values of `lang` that select the font.
 */
export const REGIONS = {
  ja: {
    package: '@expo-google-fonts/noto-sans-jp@0.4.3',
    integrity:
      'sha512-Fl+Z6vtD24HFAYsvzB0S9Nery1ly16B9PesdY0wBd+wEHAvkNglnkTUspU0HqGOubkmoa8zusJrKv6vDx1o70A==',
    family: 'Noto Sans JP',
    langs: ['ja'],
  },
  ko: {
    package: '@expo-google-fonts/noto-sans-kr@0.4.3',
    integrity:
      'sha512-EVS/uJPcf1TgJtjmQmrFr0oGdcl7ml09CSu0E/AyGzR0UfzdR2pBbzWWPsnuzZiGUl643ODYwYiXK5+B+fLjhQ==',
    family: 'Noto Sans KR',
    langs: ['ko'],
  },
  'zh-hk': {
    package: '@expo-google-fonts/noto-sans-hk@0.4.3',
    integrity:
      'sha512-jPBN2bE492eP4xPhUdmgbmYIOoqkzBPoF+upZYr9meQF3nuwY2ajmjMNtaSMrTlOXWV53td+ru/kFTcZ7/v7fg==',
    family: 'Noto Sans HK',
    langs: ['zh-hk', 'zh-mo', 'hant-hk', 'hant-mo'],
  },
  'zh-tw': {
    package: '@expo-google-fonts/noto-sans-tc@0.4.3',
    integrity:
      'sha512-69XAOTLPz0WlAxL6qJEKlDMxHsBd4J1M39HjV0gPF2o1xWVALOsVWvDgistnecVockA9wbU/tH5C/gyS2PdnHg==',
    family: 'Noto Sans TC',
    langs: ['zh-tw', 'zh-hant'],
  },
};
