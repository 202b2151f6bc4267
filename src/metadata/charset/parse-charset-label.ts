/**
 * Parses encoding labels as pages write them into WHATWG names, lower case (Encoding Standard §4.2). Knows
 * common misspellings that the standard lacks.
 */

/** Labels that TextDecoder refuses, without punctuation. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ansi: 'windows-1252',
    big5hkscs: 'big5',
    cp874: 'windows-874',
    cp932: 'shift_jis',
    cp936: 'gbk',
    cp943: 'shift_jis',
    cp949: 'euc-kr',
    cp950: 'big5',
    eucjp: 'euc-jp',
    eucjpms: 'euc-jp',
    euckr: 'euc-kr',
    gb18030: 'gb18030',
    gb2312: 'gbk',
    hkscs: 'big5',
    koi8r: 'koi8-r',
    koi8u: 'koi8-u',
    latin1: 'windows-1252',
    latin2: 'iso-8859-2',
    latin9: 'iso-8859-15',
    mac: 'macintosh',
    macroman: 'macintosh',
    ms932: 'shift_jis',
    ms936: 'gbk',
    ms949: 'euc-kr',
    ms950: 'big5',
    shiftjis: 'shift_jis',
    sjis: 'shift_jis',
    sjiswin: 'shift_jis',
    eucjpwin: 'euc-jp',
    tis620: 'windows-874',
    uhc: 'euc-kr',
    unicode11utf8: 'utf-8',
    usascii: 'windows-1252',
    utf8: 'utf-8',
    utf8mb4: 'utf-8',
    utf8sig: 'utf-8',
    utf8bom: 'utf-8',
    utf16: 'utf-16le',
    utf16le: 'utf-16le',
    utf16be: 'utf-16be',
    windows932: 'shift_jis',
    windows936: 'gbk',
    windows949: 'euc-kr',
    windows950: 'big5',
  }),
);

const MAX_LABEL_LENGTH = 40;

/** Returns the encoding that a label names; null for none and for unsafe ones (hz-gb-2312, utf-7). */
export function parseCharsetLabel(label: string): string | null {
  const trimmed = label.replace(/^[\s"']+|[\s"']+$/g, '').toLowerCase();
  if (trimmed === '' || trimmed.length > MAX_LABEL_LENGTH) return null;
  const exact = findEncoding(trimmed);
  if (exact !== null) return exact;
  const bare = trimmed.replace(/[^a-z0-9]/g, '').replace(/^x(?=[a-z])/, '');
  const alias = ALIASES.get(bare);
  if (alias !== undefined) return alias;
  const windows = /^(?:win|windows|cp|ms)(125[0-8]|874)$/.exec(bare);
  if (windows !== null) return `windows-${windows[1]}`;
  const iso = /^(?:iso)?8859(\d{1,2})$/.exec(bare);
  return iso === null ? null : findEncoding(`iso-8859-${iso[1]}`);
}

/**
 * Parses the label of a meta. Its markup was readable as ASCII, so UTF-16 means UTF-8; x-user-defined means
 * windows-1252 (WHATWG HTML §13.2.3.2).
 */
export function parseMetaCharset(label: string): string | null {
  const charset = parseCharsetLabel(label);
  if (charset?.startsWith('utf-16') === true) return 'utf-8';
  return charset === 'x-user-defined' ? 'windows-1252' : charset;
}

/** Parses the charset in the content of a `<meta http-equiv="content-type">`; null if there is none. */
export function parsePragmaCharset(content: string): string | null {
  const match = /charset\s*=\s*("[^"]*"|'[^']*'|[^\s;"']+)/i.exec(content);
  return match === null ? null : parseMetaCharset(match[1]!);
}

function findEncoding(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
