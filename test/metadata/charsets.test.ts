import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHARSET_SAMPLES, type CharsetSample } from './charset-samples.ts';
import { encode } from './encode.ts';
import { pageHead, describeBytes } from './describe-bytes.ts';

const URL = 'http://pages.example/';
/** Only their words distinguish these from windows-1252 or from each other, or no page uses them. */
const NOT_GUESSED = new Set([
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-10',
  'iso-8859-14',
  'iso-8859-16',
  'macintosh',
  'ibm866',
  'x-mac-cyrillic',
]);
/** Encodings that decode the samples to the same text. */
const SAME_LETTERS = [
  ['gb18030', 'gbk'],
  ['iso-8859-13', 'windows-1257'],
  ['iso-8859-15', 'windows-1252'],
  ['iso-8859-6', 'windows-1256'],
  ['iso-8859-7', 'windows-1253'],
  ['iso-8859-8', 'iso-8859-8-i', 'windows-1255'],
];
const LATE = `<!-- ${'x'.repeat(3_000)} --><script>${'var a = "<meta>";'.repeat(100)}</script>`;

interface Placement {
  head: string;
  header?: string;
  mark?: Buffer;
}

function describeSample(
  { charset, title, body, lang }: CharsetSample,
  { head, header, mark }: Placement,
  bytesIn = charset,
) {
  const html = `<!DOCTYPE html><html lang="${lang}"><head>${head}<title>${title}</title><meta name="description" content="${title}"></head><body><p>${body}</p></body></html>`;
  const bytes = Buffer.concat([mark ?? Buffer.alloc(0), encode(html, bytesIn)]);
  const everyByte = Array.from(bytes, (_, at) => at);
  const found = describeBytes(bytes, pageHead(URL, { 'content-type': `text/html${header ?? ''}` }));
  const inPieces = describeBytes(bytes, pageHead(URL, { 'content-type': `text/html${header ?? ''}` }), {
    cuts: everyByte,
  });
  assert.deepEqual(inPieces, found, 'byte by byte');
  return found;
}

function assertDecodes(sample: CharsetSample, placement: Placement, bytesIn?: string) {
  const { title, description, charset } = describeSample(sample, placement, bytesIn);
  assert.deepEqual(
    { title, description, charset },
    { title: sample.title, description: sample.title, charset: bytesIn ?? sample.charset },
  );
}

describe('every encoding of the WHATWG standard', () => {
  for (const sample of CHARSET_SAMPLES) {
    const { charset } = sample;
    const isUtf16 = charset.startsWith('utf-16');
    it(`${charset}: declared by the Content-Type header`, () => {
      assertDecodes(sample, { head: '', header: `; charset=${charset.toUpperCase()}` });
      assertDecodes(sample, { head: '<meta charset="windows-1252">', header: `;charset="${charset}"` });
    });

    // A meta that is readable as ASCII cannot declare UTF-16.
    it(`${charset}: declared by a meta`, { skip: isUtf16 && 'not possible' }, () => {
      assertDecodes(sample, { head: `<meta charset="${charset}">` });
      assertDecodes(sample, {
        head: `<META CHARSET=" ${charset.toUpperCase()} ">`,
        header: ';charset=nonsense',
      });
    });

    it(`${charset}: declared by a meta with http-equiv`, { skip: isUtf16 && 'not possible' }, () => {
      assertDecodes(sample, {
        head: `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`,
      });
      assertDecodes(sample, {
        head: `<META CONTENT='text/html;CHARSET = "${charset}"' HTTP-EQUIV=content-type>`,
      });
    });

    it(`${charset}: declared by a meta after the title and 4 KB`, { skip: isUtf16 && 'not possible' }, () => {
      assertDecodes(sample, { head: `<title>${sample.title}</title>${LATE}<meta charset=${charset}>` });
    });

    it(`${charset}: not declared`, { skip: NOT_GUESSED.has(charset) && 'not guessed' }, () => {
      const found = describeSample(sample, { head: '' });
      assert.equal(found.title, sample.title);
      const names = SAME_LETTERS.find((same) => same.includes(charset)) ?? [charset];
      assert.ok(names.includes(found.charset!), found.charset!);
    });

    it(`${charset}: a byte-order mark wins over a header and a meta that declare it`, () => {
      const placement = { head: `<meta charset="${charset}">`, header: `;charset=${charset}` };
      assertDecodes(sample, { ...placement, mark: Buffer.from('efbbbf', 'hex') }, 'utf-8');
      assertDecodes(sample, { ...placement, mark: Buffer.from('fffe', 'hex') }, 'utf-16le');
      assertDecodes(sample, { ...placement, mark: Buffer.from('feff', 'hex') }, 'utf-16be');
    });
  }
});

describe('a byte-order mark without a Content-Type', () => {
  const marks = { 'utf-8': 'efbbbf', 'utf-16le': 'fffe', 'utf-16be': 'feff' } as const;
  const build = (charset: keyof typeof marks, html: string) =>
    Buffer.concat([Buffer.from(marks[charset], 'hex'), encode(html, charset)]);
  const describeInPieces = (bytes: Buffer) => {
    const whole = describeBytes(bytes, pageHead(URL));
    assert.deepEqual(describeBytes(bytes, pageHead(URL), { cuts: Array.from(bytes, (_, at) => at) }), whole);
    return whole;
  };

  for (const charset of Object.keys(marks) as (keyof typeof marks)[]) {
    it(`${charset}: is no obstacle to recognizing HTML`, () => {
      for (const start of ['<!DOCTYPE html>', '\n <title>Žluť</title>', '<!-- x -->']) {
        const html = `${start}<title>Žluť</title>`;
        const found = describeInPieces(build(charset, html));
        assert.deepEqual([found.title, found.charset], ['Žluť', charset], start);
      }
    });

    it(`${charset}: wins over a meta and an XML declaration`, () => {
      for (const declared of ['koi8-r', 'iso-2022-jp', 'shift_jis', 'utf-8']) {
        const meta = build(charset, `<html><meta charset=${declared}><title>Žluť \u3042</title></html>`);
        const xml = build(
          charset,
          `<?xml version="1.0" encoding="${declared}"?><html><title>Žluť \u3042</title>`,
        );
        for (const found of [describeInPieces(meta), describeInPieces(xml)])
          assert.deepEqual([found.title, found.charset], ['Žluť \u3042', charset], declared);
      }
    });

    it(`${charset}: does not make HTML of other text`, () => {
      const found = describeInPieces(build(charset, 'Žluť <title>T</title>'));
      assert.deepEqual([found.title, found.charset], [null, null]);
    });
  }
});

describe('a page of a few words without a declared charset or language', () => {
  const findTitle = (text: string, charset: string, body = 'text') =>
    describeBytes(
      encode(`<html><head><title>${text}</title></head><body><p>${body}</p></body></html>`, charset),
      pageHead(URL, { 'content-type': 'text/html' }),
    ).title;
  const pages: [text: string, ...charsets: string[]][] = [
    ['תחזית מזג האוויר למחר', 'windows-1255', 'iso-8859-8'],
    ['Źródło świeżości: żółta łódź', 'windows-1250', 'iso-8859-2'],
    ['Ça va ?', 'windows-1252'],
    ['l\u00b9été au café, 10\u00b0C, Müller\u00aeShop, Co\u00aeKG', 'windows-1252'],
    ['Straße für Gäste', 'windows-1252'],
    ['Lietuvos žinios: ąžuolų giria šiandien', 'windows-1257'],
  ];
  for (const [text, ...charsets] of pages)
    for (const charset of charsets)
      it(`${charset}: ${text}`, () => assert.equal(findTitle(text, charset), text));
  it('windows-1252: a single ñ is not taken for ń', () =>
    assert.equal(findTitle('El Niño', 'windows-1252', 'El Niño'), 'El Niño'));
});

describe('charset labels and precedence', () => {
  const german = CHARSET_SAMPLES.find(({ charset }) => charset === 'windows-1252')!;
  const assertLabel = (label: string, charset: string) => {
    const sample = CHARSET_SAMPLES.find((one) => one.charset === charset)!;
    assert.equal(describeSample(sample, { head: `<meta charset="${label}">` }).charset, charset, label);
  };

  it('labels of the standard and common misspellings are known', () => {
    for (const label of ['iso-8859-1', 'latin1', 'us-ascii', 'ANSI', 'cp1252', 'win-1252', 'iso8859-1'])
      assertLabel(label, 'windows-1252');
    for (const label of ['cp932', 'ms932', 'Windows-31J', 'x-sjis', 'sjis-win', 'shift-jis'])
      assertLabel(label, 'shift_jis');
    for (const label of ['gb2312', 'cp936', 'x-gbk', 'GB_2312-80']) assertLabel(label, 'gbk');
    for (const label of ['cp949', 'uhc', 'ks_c_5601-1987', 'EUCKR']) assertLabel(label, 'euc-kr');
    for (const label of ['cp950', 'big5-hkscs', 'x-x-big5']) assertLabel(label, 'big5');
    for (const label of ['win1251', 'windows1251', 'x-cp1251']) assertLabel(label, 'windows-1251');
    for (const label of ['utf8', 'utf-8-sig', 'utf8mb4', 'unicode-1-1-utf-8', 'utf-16', 'unicode'])
      assertLabel(label, 'utf-8');
  });

  it('a label decides when the bytes would suggest another encoding', () => {
    for (const [label, charset] of [
      ['GB_18030', 'gb18030'],
      ['eucJP-ms', 'euc-jp'],
      ['x-windows-949', 'euc-kr'],
    ] as const)
      assert.equal(describeSample(german, { head: `<meta charset="${label}">` }).charset, charset, label);
  });

  it('unknown labels are ignored, and the next declaration counts', () => {
    for (const label of [
      'constructor',
      '__proto__',
      'hz-gb-2312',
      'iso-2022-kr',
      'utf-7',
      'none',
      '',
      'x'.repeat(5_000),
    ]) {
      assert.equal(
        describeSample(german, { head: `<meta charset="${label}"><meta charset="windows-1252">` }).charset,
        'windows-1252',
      );
    }
  });

  it('UTF-16 without a mark or a declaration is recognized by its first characters, also after white space', () => {
    for (const start of ['<html>', '\r\n<!doctype html>', '  <!-- -->']) {
      const bytes = Buffer.from(`${start}<title>\u00e4\u{1f600}</title>`, 'utf16le');
      const head = pageHead('https://site.test/', { 'content-type': 'text/html' });
      for (const [order, charset] of [
        [bytes, 'utf-16le'],
        [Buffer.from(bytes).swap16(), 'utf-16be'],
      ] as const) {
        const found = describeBytes(order, head);
        assert.deepEqual([found.charset, found.title], [charset, '\u00e4\u{1f600}']);
      }
    }
  });

  it('ISO-2022-JP is recognized by an escape, even in the first byte', () => {
    const page = Buffer.from('\x1b(J<title>a\\b</title>', 'latin1');
    assert.equal(
      describeBytes(page, pageHead('http://a.example/', { 'content-type': 'text/html' })).title,
      'a¥b',
    );
  });

  it('x-user-defined in a meta means windows-1252', () => {
    assert.equal(describeSample(german, { head: '<meta charset="x-user-defined">' }).charset, 'windows-1252');
  });

  it('a legacy meta loses to bytes that are clearly UTF-8; a header does not', () => {
    assert.equal(describeSample(german, { head: '<meta charset="windows-1251">' }, 'utf-8').charset, 'utf-8');
    assert.equal(
      describeSample(german, { head: '', header: ';charset=windows-1251' }, 'utf-8').charset,
      'windows-1251',
    );
  });

  it('two sequences of UTF-8 are enough against a meta of an encoding with one byte per character', () => {
    const find = (title: string, meta: string, bytesIn: string) => {
      const html = `<html><head><meta charset=${meta}><title>${title}</title></head></html>`;
      const found = describeBytes(encode(html, bytesIn), pageHead(URL, { 'content-type': 'text/html' }));
      return [found.title, found.charset];
    };
    for (const title of ['Schöne Grüße', 'Noël, déjà', 'A — “B”', 'Привет', 'Żółw', 'שלום'])
      assert.deepEqual(find(title, 'windows-1252', 'utf-8'), [title, 'utf-8'], title);
    assert.deepEqual(find('Schöne Tage', 'iso-8859-15', 'utf-8')[1], 'iso-8859-15');
    // Capital letters before punctuation are valid UTF-8.
    for (const title of ['CAFÉ… CAFÉ…', '«RÉSUMÉ» «LYCÉE»', '„Spaß“ und „Gruß“'])
      assert.deepEqual(find(title, 'windows-1252', 'windows-1252'), [title, 'windows-1252'], title);
    // Four Chinese characters whose bytes are valid UTF-8.
    const pairs = new TextDecoder('gbk').decode(Buffer.from('c4a3c4a3c4a3c4a3', 'hex'));
    assert.deepEqual(find(pairs, 'gb2312', 'gbk'), [pairs, 'gbk']);
  });

  it('an XML declaration counts if there is no other', () => {
    const xml = encode(
      `<?xml version="1.0" encoding="windows-1250"?><html><head><title>Žluť</title></head></html>`,
      'windows-1250',
    );
    const found = describeBytes(xml, pageHead(URL, { 'content-type': 'application/xhtml+xml' }));
    assert.deepEqual([found.title, found.charset], ['Žluť', 'windows-1250']);
  });

  it('a declaration in a comment, a script, a template or an attribute does not count', () => {
    const decoys = [
      '<!-- <meta charset="koi8-r"> -->',
      '<script>"<meta charset=koi8-r>"</script>',
      '<template><meta charset="koi8-r"></template>',
      '<meta name="description" content="<meta charset=koi8-r>">',
      '<svg><title><![CDATA[<meta charset=koi8-r>]]></title></svg>',
    ];
    for (const decoy of decoys)
      assert.equal(
        describeSample(german, { head: `${decoy}<meta charset=windows-1252>` }).charset,
        'windows-1252',
      );
  });

  it('a malformed sequence at the end of a value does not consume the quote after it', () => {
    for (const charset of ['shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr']) {
      const bytes = Buffer.concat([
        Buffer.from(`<meta charset=${charset}><title>a`),
        Buffer.from([0xe3]),
        Buffer.from('</title><meta name=description content="b'),
        Buffer.from([0xe3]),
        Buffer.from('"><meta property=og:type content=c>'),
      ]);
      const { title, description, og } = describeBytes(bytes, pageHead(URL, { 'content-type': 'text/html' }));
      assert.deepEqual([title, description, og.type], ['a\uFFFD', 'b\uFFFD', 'c'], charset);
    }
  });

  it('guesses are made from the text of the page, not from its markup', () => {
    const markup = '<script>var letters = "abc"; function render(text) { return text.trim(); }</script>\n';
    const pages: [charset: string, lang: string, title: string][] = [
      ['windows-874', '', 'ข่าววันนี้ เปิดตลาดน้ำแห่งใหม่'],
      ['koi8-u', ' lang=uk', 'Погода на вихідні: дощ і сніг, вітер із півдня'],
      ['koi8-r', '', 'Новости города: ремонт моста завершён в срок'],
      ['windows-1251', ' lang=bg', 'Български обичаи и традиции: Пролет'],
      ['iso-8859-2', '', 'Čtyři koně ve dvoře: příběh starého mlýna, který nikdo nechtěl koupit'],
      ['iso-8859-2', '', 'Jutro będzie padać śnieg, a wieczorem mróz: prognoza dla całej Polski'],
      [
        'iso-8859-2',
        '',
        'Erős szél és hűvös idő: holnap is esernyő kell, figyelmeztetnek a jövő heti előrejelzők',
      ],
      ['windows-1250', '', '„Čtyři koně“ ve dvoře: příběh starého mlýna, který nikdo nechtěl koupit'],
    ];
    for (const [charset, lang, title] of pages) {
      const html = `<html${lang}><head>${markup.repeat(100)}<title>${title}</title><p>${title}</p>`;
      const found = describeBytes(encode(html, charset), pageHead(URL, { 'content-type': 'text/html' }));
      assert.deepEqual([found.title, found.charset], [title, charset]);
    }
  });
});
