import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCharsetLabel } from './parse-charset-label.ts';

/** Labels that pages use and the standard lacks, by their encoding. */
const LABELS: Record<string, string> = {
  big5: 'Big5-HKSCS cp950 hkscs ms950 windows-950',
  'euc-jp': 'eucJP eucJP-ms eucJP-win',
  'euc-kr': 'cp949 EUCKR ms949 uhc windows-949',
  gb18030: 'GB-18030',
  gbk: 'cp936 GB-2312 ms936 windows-936',
  'iso-8859-15': 'latin-9',
  'iso-8859-2': 'latin-2',
  'koi8-r': 'koi8r',
  'koi8-u': 'KOI8U',
  macintosh: 'mac mac-roman',
  shift_jis: 'cp932 cp943 ms932 shiftjis sjis SJIS-win windows-932',
  'utf-16be': 'utf16be',
  'utf-16le': 'utf16 utf16le',
  'utf-8': 'utf_8 unicode-11-utf-8 utf8mb4 utf-8-sig UTF-8-BOM',
  'windows-1252': 'ANSI latin-1 us_ascii',
  'windows-874': 'cp874 tis_620',
};

it('common misspellings of a charset name it', () => {
  for (const [name, labels] of Object.entries(LABELS))
    for (const label of labels.split(' ')) assert.equal(parseCharsetLabel(label), name, label);
});
