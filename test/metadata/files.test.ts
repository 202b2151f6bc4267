import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { FileDetails } from '#metadata';
import { describeXmlFeed } from '../../src/metadata/files/describe-feed.ts';
import { describePdf } from '../../src/metadata/files/pdf/describe-pdf.ts';
import { isFasterThan } from '../support/cpu-time.ts';
import { seeded } from '../support/random.ts';
import { describeBytes, pageHead } from './describe-bytes.ts';
import { jpeg, png, svg } from './images.ts';
import { flac, mp3, mp4, opus, wav, webm } from './media-files.ts';
import { compressedPdf, pdf, xmpPdf } from './pdf-files.ts';

const NOTHING = {
  width: null,
  height: null,
  title: null,
  pages: null,
  entries: null,
  durationSeconds: null,
};

/** Describes a whole file that is served with this Content-Type. */
function describeFile(
  body: Buffer | string,
  type: string,
  headers: Record<string, string> = {},
): FileDetails {
  const bytes = Buffer.from(body as string);
  const head = pageHead('https://a.example/file', {
    'content-type': type,
    'content-length': String(bytes.length),
    ...headers,
  });
  const { title, og, details } = describeBytes(bytes, head, { details: true, cuts: [1, 500, 5_000] });
  assert.deepEqual([title, og.title], [null, null], 'the contract’s members stay null');
  return details!.file!;
}

/** The members of a file that are not null, besides kind and type. */
function findKnown(body: Buffer | string, type: string): Partial<FileDetails> {
  const { kind: _kind, type: _type, ...members } = describeFile(body, type);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

describe('details of what is not HTML', () => {
  it('of an image are its type and its size', () => {
    assert.deepEqual(describeFile(png(640, 480), 'image/png'), {
      ...NOTHING,
      kind: 'image',
      type: 'image/png',
      width: 640,
      height: 480,
    });
    assert.equal(describeFile(png(640, 480), 'application/octet-stream').kind, 'image');
    assert.deepEqual(findKnown(svg('viewBox="0 0 9 7"'), 'image/svg+xml'), { width: 9, height: 7 });
    assert.deepEqual(describeFile('png', 'image/png'), { ...NOTHING, kind: 'image', type: 'image/png' });
  });

  it('of JSON and of any other type are nothing but the type', () => {
    for (const [type, kind] of [
      ['application/json', 'json'],
      ['application/ld+json; charset=utf-8', 'json'],
      ['text/plain', 'other'],
      ['application/zip', 'other'],
      ['text/css', 'other'],
    ] as const)
      assert.deepEqual(describeFile('{"title":"T","items":[1]}', type), {
        ...NOTHING,
        kind,
        type: type.split(';')[0],
      });
    assert.deepEqual(describeFile('plain', ''), { ...NOTHING, kind: 'other', type: null });
  });

  it('are by the Content-Type if the first bytes are of no known kind', () => {
    for (const [type, kind] of [
      ['image/png', 'image'],
      ['application/pdf', 'pdf'],
      ['application/rss+xml', 'feed'],
      ['audio/ogg', 'audio'],
      ['video/mp4', 'video'],
    ] as const)
      assert.deepEqual(describeFile('plain', type), { ...NOTHING, kind, type });
    assert.equal(describeFile(png(2, 1), 'text/plain').type, 'image/png', 'known bytes precede it');
  });

  it('are absent for a type of HTML, also if the body is empty or an image', () => {
    for (const type of ['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml'])
      for (const body of [Buffer.alloc(0), png(1, 1)]) {
        const head = pageHead('https://a.example/', { 'content-type': type });
        assert.equal(describeBytes(body, head, { details: true }).details!.file, null, type);
      }
    const empty = describeBytes(Buffer.alloc(0), pageHead('https://a.example/', {}), { details: true });
    assert.equal(empty.details!.file?.kind, 'other', 'without a type');
  });

  it('have the Content-Length, and are absent for HTML', () => {
    const { details } = describeBytes(Buffer.from('<title>T</title>'), pageHead('https://a.example/'), {
      details: true,
    });
    assert.deepEqual([details!.file, details!.contentLength], [null, null]);
    const head = pageHead('https://a.example/', { 'content-type': 'image/png', 'content-length': '24' });
    assert.equal(describeBytes(png(1, 1), head, { details: true }).details!.contentLength, 24);
    const wrong = pageHead('https://a.example/', { 'content-type': 'image/png', 'content-length': '-1' });
    assert.equal(describeBytes(png(1, 1), wrong, { details: true }).details!.contentLength, null);
  });
});

describe('details of a PDF', () => {
  it('are its title and its number of pages', () => {
    assert.deepEqual(describeFile(pdf('(Annual  report)', 12), 'application/pdf'), {
      ...NOTHING,
      kind: 'pdf',
      type: 'application/pdf',
      title: 'Annual report',
      pages: 12,
    });
    assert.deepEqual(findKnown(compressedPdf('(Compressed)', 300), 'application/pdf'), {
      title: 'Compressed',
      pages: 300,
    });
    assert.deepEqual(findKnown(xmpPdf('R&amp;D – 2026'), 'application/pdf'), {
      title: 'R&D – 2026',
      pages: 3,
    });
  });

  it('have the title in any of its encodings', () => {
    const titles: Record<string, string> = {
      '(a \\(b\\) (c) \\\\ \\101\\n)': 'a (b) (c) \\ A',
      '(Caf\xE9 \x84 \x8D\x8E)': 'Café — “”',
      '<FEFF00C400D6>': 'ÄÖ',
      '(\xEF\xBB\xBFna\xC3\xAFve &amp; co)': 'naïve &amp; co',
      '<feff d83d de00>': '😀',
      '(line \\\nend)': 'line end',
    };
    for (const [written, title] of Object.entries(titles))
      assert.equal(describeFile(pdf(written, 1), 'application/pdf').title, title, written);
  });

  it('are those of its last version, and not those of what its streams contain', () => {
    const update = Buffer.from(
      '2 0 obj<</Type/Pages/Count 5>>endobj 6 0 obj<</Title (New)>>endobj trailer<</Root 1 0 R/Info 6 0 R>>',
    );
    const bytes = Buffer.concat([pdf('(Old)', 9), update]);
    assert.deepEqual(findKnown(bytes, 'application/pdf'), { title: 'New', pages: 5 });
  });

  it('are those of the last of many versions', () => {
    const update = (n: number) => `${n} 0 obj<</Title (Version ${n})>>endobj trailer<</Info ${n} 0 R>>\n`;
    const updates = Array.from({ length: 30 }, (_, n) => update(n + 20)).join('');
    assert.equal(
      describeFile(Buffer.concat([pdf('(Old)', 9), Buffer.from(updates)]), 'application/pdf').title,
      'Version 49',
    );
  });

  it('are found after arrays of any items', () => {
    const arrays = '/Kids [3 0 R [/a]<</b (])>> % ]\n(\\)]) <5D>]';
    const title = describeFile(pdf(`(T) ${arrays} /More [] /Title (After)`, 1), 'application/pdf').title;
    assert.equal(title, 'After');
  });

  it('that is made for the web have the number of pages even if its end was not read', () => {
    const linearized = '%PDF-1.4\n7 0 obj\n<< /Linearized 1 /L 9999999 /N 42 /O 9 >>\nendobj\n';
    assert.deepEqual(findKnown(linearized, 'application/pdf'), { pages: 42 });
    assert.deepEqual(findKnown('%PDF-1.4\n7 0 obj\n<< /N 42 >>\nendobj\n', 'application/pdf'), {});
  });

  it('that is encrypted have no title', () => {
    assert.deepEqual(findKnown(pdf('(\x01\x02)', 4, '/Encrypt 8 0 R'), 'application/pdf'), { pages: 4 });
  });

  it('decompress no more than 4 MiB', () => {
    const bomb = deflateSync(Buffer.alloc(10_000_000, ' '));
    const objects = Array.from({ length: 20 }, (_, n) =>
      Buffer.concat([
        Buffer.from(`${n + 1} 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\n`),
        bomb,
        Buffer.from('endstream endobj '),
      ]),
    );
    const bytes = Buffer.concat([Buffer.from('%PDF-1.5\n'), ...objects]);
    assert.deepEqual(findKnown(bytes, 'application/pdf'), {});
    assert.ok(isFasterThan(100, () => findKnown(bytes, 'application/pdf')));
  });
});

describe('details of a feed', () => {
  it('are its title and its number of entries', () => {
    const feeds: Record<string, string> = {
      'application/rss+xml':
        '<?xml version="1.0"?><!-- c --><rss version="2.0"><channel><image><title>Logo</title></image><title>News &amp; more</title><item><title>1</title></item><item><title>2</title></item></channel></rss>',
      'application/atom+xml':
        '<feed xmlns="http://www.w3.org/2005/Atom"><title type="html"><![CDATA[News & more]]></title><entry><title>1</title><source><title>x</title></source></entry><entry/></feed>',
      'application/rdf+xml':
        '<rdf:RDF xmlns:rdf="x"><channel><title>News &#38; more</title><items><rdf:Seq/></items></channel><item/><item/></rdf:RDF>',
      'application/feed+json':
        '{"version": "https://jsonfeed.org/version/1.1", "title": "News & more", "items": [{}, {}]}',
    };
    for (const [type, body] of Object.entries(feeds)) {
      for (const served of [type, type.endsWith('xml') ? 'text/xml; charset=utf-8' : 'application/json'])
        assert.deepEqual(
          describeFile(body, served),
          { ...NOTHING, kind: 'feed', type: served.split(';')[0], title: 'News & more', entries: 2 },
          served,
        );
    }
  });

  it('have a title of XHTML as text, and are found if the feed has a prefix', () => {
    const xhtml =
      '<feed><title type="xhtml"><div xmlns="x">News <b>&amp; more</b></div></title><entry/></feed>';
    const prefixed =
      '<atom:feed xmlns:atom="x"><media:title>No</media:title><atom:title>News &amp; more</atom:title><atom:entry><atom:title>1</atom:title></atom:entry></atom:feed>';
    for (const body of [xhtml, prefixed])
      assert.deepEqual(findKnown(body, 'application/atom+xml'), { title: 'News & more', entries: 1 }, body);
    const html = '<rss><channel><title>A<i>b</i></title><title>T</title></channel></rss>';
    assert.equal(describeFile(html, 'application/rss+xml').title, 'T');
  });

  it('are in its own encoding', () => {
    const body = Buffer.from(
      '<?xml version="1.0" encoding="windows-1251"?><rss><channel><title>\xCC\xE8\xF0</title></channel></rss>',
      'latin1',
    );
    assert.equal(describeFile(body, 'application/rss+xml').title, 'Мир');
    const utf16 = Buffer.from('\uFEFF<feed><title>Äé</title><entry/></feed>', 'utf16le');
    assert.deepEqual(findKnown(utf16, 'application/atom+xml'), { title: 'Äé', entries: 1 });
  });

  it('are those of what was read if it is cut or not well-formed, and expand no entities', () => {
    const rss = '<rss><channel><title>T</title><item><title>1</item><item><ti';
    assert.deepEqual(findKnown(rss, 'application/rss+xml'), { title: 'T', entries: 2 });
    const bomb = '<!DOCTYPE rss [<!ENTITY a "&b;&b;">]><rss><channel><title>&a;</title></channel></rss>';
    assert.equal(describeFile(bomb, 'application/rss+xml').title, '&a;');
    assert.equal(describeFile('<other><title>T</title></other>', 'application/xml').kind, 'other');
  });
});

describe('details of audio and video', () => {
  it('are the type and the duration in seconds', () => {
    const files: readonly (readonly [bytes: Buffer, type: string, kind: string, seconds: number])[] = [
      [mp4(90), 'video/mp4', 'video', 90],
      [mp4(90, { isLong: true }), 'video/quicktime', 'video', 90],
      [mp4(12, { isFragmented: true }), 'video/mp4', 'video', 12],
      [mp4(3, { brand: 'M4A ' }), 'audio/mp4', 'audio', 3],
      [webm(7.25), 'video/webm', 'video', 7.25],
      [wav(2), 'audio/wav', 'audio', 2],
      [wav(2, 0xffff_ffff), 'audio/wav', 'audio', 2],
      [flac(31), 'audio/flac', 'audio', 31],
      [mp3({ frames: 1_000 }), 'audio/mpeg', 'audio', 26.122],
      [mp3({ tagBytes: 9_000, frames: 1_000 }), 'audio/mpeg', 'audio', 26.122],
      [mp3({ bodies: 99 }), 'audio/mpeg', 'audio', 2.606],
      [opus(11), 'audio/ogg', 'audio', 11],
    ];
    for (const [bytes, type, kind, seconds] of files) {
      const found = describeFile(bytes, type);
      assert.deepEqual([found.kind, found.type, found.durationSeconds], [kind, type, seconds], type);
    }
  });

  it('have the type by the contents if the declared one says nothing', () => {
    assert.equal(describeFile(mp4(1, { brand: 'M4A ' }), 'application/octet-stream').type, 'audio/mp4');
    assert.equal(describeFile(webm(1), 'application/octet-stream').type, 'video/webm');
    assert.equal(describeFile(flac(1), 'text/plain').type, 'audio/flac');
  });

  it('are not those of text that starts like one', () => {
    for (const text of ['1234moov atoms', 'ID3 is a great tag'])
      assert.equal(describeFile(text, 'text/plain').type, 'text/plain', text);
  });

  it('have the size of the picture of an MP4', () => {
    assert.deepEqual(findKnown(mp4(5, { width: 1920, height: 1080 }), 'video/mp4'), {
      width: 1920,
      height: 1080,
      durationSeconds: 5,
    });
  });

  it('have no duration if the bytes that were read do not tell it', () => {
    assert.deepEqual(findKnown(mp4(5).subarray(0, 60), 'video/mp4'), {});
    assert.deepEqual(findKnown(Buffer.from('OggS'), 'audio/ogg'), {});
    const { durationSeconds } = describeFile(opus(5), 'audio/ogg', { 'content-length': '999999' });
    assert.equal(durationSeconds, null);
  });
});

describe('how much of what is not HTML is read', () => {
  /** Reads a file that never ends, in chunks of 64 KiB; returns the bytes until no more are wanted. */
  function countBytes(start: Buffer | string, type: string): number {
    const limit = 2 * 1024 * 1024;
    const bytes = Buffer.concat([Buffer.from(start as string), Buffer.alloc(limit)]).subarray(0, limit);
    let read = 0;
    const cuts = Array.from({ length: 32 }, (_, n) => (n + 1) * 65_536);
    const counted = new Proxy(bytes, {
      get(target, name) {
        if (name !== 'subarray') return Reflect.get(target, name) as unknown;
        return (from: number, to: number) => {
          read = to;
          return target.subarray(from, to);
        };
      },
    });
    describeBytes(counted, pageHead('https://a.example/', { 'content-type': type }), { details: true, cuts });
    return read;
  }

  it('is the first bytes, except of PDFs, feeds, and images and media whose measure comes later', () => {
    const KIB = 1024;
    assert.equal(countBytes(png(1, 1), 'image/png'), 64 * KIB);
    assert.equal(countBytes(jpeg(1, 1, 100_000), 'image/jpeg'), 128 * KIB);
    assert.equal(countBytes(jpeg(1, 1, 600_000), 'image/jpeg'), 256 * KIB);
    assert.equal(countBytes(mp4(1), 'video/mp4'), 64 * KIB);
    assert.equal(countBytes('{"a":1}', 'application/json'), 64 * KIB);
    assert.equal(countBytes('PK', 'application/zip'), 64 * KIB);
    for (const [start, type] of [
      ['%PDF-1.4', 'application/pdf'],
      ['<rss>', 'application/rss+xml'],
      ['<rss>', 'text/xml'],
      ['\0\0\0\x08ftyp', 'video/mp4'],
    ] as const)
      assert.equal(countBytes(start, type), 2048 * KIB, type);
  });
});

describe('files of attackers', () => {
  const files: readonly (readonly [type: string, bytes: Buffer])[] = [
    ['application/pdf', pdf('(Title \\101)', 3)],
    ['application/pdf', compressedPdf('<FEFF0041>', 3)],
    ['application/pdf', xmpPdf('T')],
    [
      'application/rss+xml',
      Buffer.from('<rss><channel><title>T</title><item a="b"/><!-- --></channel></rss>'),
    ],
    [
      'application/feed+json',
      Buffer.from('{"version":"https://jsonfeed.org/version/1","title":"T","items":[]}'),
    ],
    ['video/mp4', mp4(9, { width: 2, height: 2, isFragmented: true })],
    ['video/webm', webm(9)],
    ['audio/wav', wav(0, 320)],
    ['audio/flac', flac(9)],
    ['audio/mpeg', mp3({ tagBytes: 20, frames: 9 })],
    ['audio/ogg', opus(9)],
  ];

  it('throw nothing if they are damaged, and give values that JSON can hold', () => {
    const random = seeded(7);
    for (let n = 0; n < 4_000; n++) {
      const [type, original] = files[random(files.length)]!;
      const bytes = Buffer.from(original);
      for (let changes = random(8); changes >= 0; changes--)
        bytes[random(Math.min(bytes.length, 700))] = [0, 255, 0x28, 0x3c, random(256)][random(5)]!;
      const head = pageHead('https://a.example/', { 'content-type': type, 'content-length': '5000' });
      const { file } = describeBytes(bytes.subarray(0, random(bytes.length + 1)), head, {
        details: true,
      }).details!;
      for (const name of ['width', 'height', 'pages', 'entries'] as const)
        assert.ok(
          file![name] === null || Number.isSafeInteger(file![name]),
          `${name} ${bytes.toString('hex')}`,
        );
      assert.ok(file!.durationSeconds === null || Number.isFinite(file!.durationSeconds));
    }
  });

  it('cost less than 60 ms as feeds of tags', () => {
    const feeds: readonly (readonly [start: string, part: string])[] = [
      [`<rss>${'<a>'.repeat(90)}`, '</z>'],
      ...['<a/>', '<item/>', '<a></a>'].map((part) => ['<rss>', part] as const),
    ];
    for (const [start, part] of feeds) {
      const bytes = Buffer.alloc(2 * 1024 * 1024, part);
      bytes.write(start);
      assert.ok(
        isFasterThan(60, () => describeXmlFeed(bytes, null)),
        part,
      );
    }
  });

  it('cost less than 50 ms as PDFs whose parts overlap, repeat or have no end', () => {
    const fill = (start: string, part: string) => {
      const bytes = Buffer.alloc(2 * 1024 * 1024, part, 'latin1');
      bytes.write(`%PDF-1.5\n${start}`, 'latin1');
      return bytes;
    };
    const header = deflateSync(Buffer.alloc(4_194_100, '1 '));
    const objects = `1 0 obj<</Type/ObjStm/N 9/First 4194000/Filter/FlateDecode>>stream\n${header.toString('latin1')}\nendstream`;
    const arrays = 'trailer<</A['.repeat(500);
    const entries = (entry: string) => `trailer<<${entry.repeat(990)}>>`;
    const files: readonly Buffer[] = [
      Buffer.from(`%PDF-1.5\n${'trailer<</A[%'.repeat(500)}\n${'/'.repeat(16_000)}`),
      ...['/a ', '<00>', '1 0 R ', '\0', '1 ', '()', '['].map((item) => fill(arrays, item)),
      ...['/a 1', '/A<00>', '/A 1 0 R', '/A()'].map((entry) => fill('', entries(entry))),
      fill('', `trailer<</A[${'/a '.repeat(5_000)}`),
      fill('', `1234567890${' '.repeat(20)}12345${' '.repeat(20)}`),
      fill('', '1 0 obj>>stream\nendstream '),
      Buffer.from(`%PDF-1.5\n${objects}`, 'latin1'),
    ];
    for (const bytes of files) {
      const describeIt = () => describePdf(bytes);
      assert.ok(isFasterThan(50, describeIt), bytes.toString('latin1', 0, 60));
    }
  });

  it('take linear time', () => {
    const size = 2 * 1024 * 1024;
    const fill = (start: string, part: string) =>
      Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size, part, 'latin1')]);
    const slow: readonly (readonly [type: string, bytes: Buffer])[] = [
      ['application/pdf', fill('%PDF-', '1 0 obj<<')],
      ['application/pdf', fill('%PDF-', '1 0 obj<</Type/ObjStm>>stream\n')],
      ['application/pdf', fill('%PDF-', '1 0 obj<</Type/ObjStm/N 9/First 9>>stream\nendstream ')],
      ['application/pdf', fill('%PDF-', '>>stream\nendstream trailer<<')],
      ['application/pdf', fill('%PDF- trailer<</Info 1 0 R>> 1 0 obj<</Title (', '(')],
      ['application/pdf', fill('%PDF-', '1 ')],
      ['application/pdf', fill('%PDF- 1 0 obj', '<</A[')],
      ['application/rss+xml', fill('<rss>', '<a>')],
      ['application/rss+xml', fill('<rss>', '<item ')],
      ['application/rss+xml', fill('<rss>', '<!--')],
      ['application/rss+xml', fill('<rss>', `<a b="'>`)],
      ['application/rss+xml', fill('<rss><channel><title>', '&amp;')],
      ['application/rss+xml', fill('<rss>', '<![CDATA[')],
      ['application/json', fill('{"version":"https://jsonfeed.org/version/1"', '[')],
      ['application/json', fill('', '"version"   ')],
      ['video/mp4', fill('\0\0\0\x08ftyp', '\0\0\0\x08moov')],
      ['video/webm', fill('\x1A\x45\xDF\xA3\x80', '\xEC\x80')],
      ['audio/mpeg', fill('ID3\x04\0\0\0\0\0\0', '\xFF\xFB\x90\0')],
      ['audio/ogg', fill('OggS', 'OggS')],
      ['audio/wav', fill('RIFF\0\0\0\0WAVE', 'abcd\0\0\0\0')],
    ];
    for (const [type, bytes] of slow) {
      const head = pageHead('https://a.example/', { 'content-type': type, 'content-length': String(size) });
      const describeIt = () => describeBytes(bytes.subarray(0, size), head, { details: true });
      assert.ok(isFasterThan(200, describeIt), `${type} ${bytes.toString('latin1', 0, 60)}`);
    }
  });
});
