/** The legacy encodings of pages by language, most common first. Languages of windows-1252 are not listed. */

const CYRILLIC = ['windows-1251', 'koi8-r', 'iso-8859-5'];
const CENTRAL_EUROPEAN = ['windows-1250', 'iso-8859-2'];
const BALTIC = ['windows-1257'];

const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ar: ['windows-1256', 'iso-8859-6'],
    be: CYRILLIC,
    bg: CYRILLIC,
    cs: CENTRAL_EUROPEAN,
    el: ['windows-1253', 'iso-8859-7'],
    et: BALTIC,
    fa: ['windows-1256'],
    he: ['windows-1255', 'iso-8859-8'],
    hr: CENTRAL_EUROPEAN,
    hu: CENTRAL_EUROPEAN,
    iw: ['windows-1255', 'iso-8859-8'],
    ja: ['shift_jis', 'euc-jp'],
    ko: ['euc-kr'],
    lt: BALTIC,
    lv: BALTIC,
    mk: CYRILLIC,
    pl: CENTRAL_EUROPEAN,
    ro: CENTRAL_EUROPEAN,
    ru: CYRILLIC,
    sk: CENTRAL_EUROPEAN,
    sl: CENTRAL_EUROPEAN,
    th: ['windows-874'],
    tr: ['windows-1254'],
    uk: ['windows-1251', 'koi8-u'],
    vi: ['windows-1258'],
    zh: ['gbk', 'gb18030', 'big5'],
  }),
);

/** Returns the usual legacy encodings for a language tag, or null if none are listed. */
export function findUsualCharsets(language: string | null): readonly string[] | null {
  const primary = /^[a-z]{2}(?=$|[-_])/i.exec(language?.trim() ?? '')?.[0].toLowerCase();
  return primary === undefined ? null : (USUAL.get(primary) ?? null);
}
