import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDetails } from '#metadata';
import { describeXmlFeed } from '../../src/metadata/files/describe-feed.ts';
import { isFasterThan } from '../support/cpu-time.ts';
import { seeded } from '../support/random.ts';
import { describeBytes, pageHead } from './describe-bytes.ts';
import { jpeg, png, svg } from './images.ts';

const NOTHING = {
  width: null,
  height: null,
  title: null,
  entries: null,
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

  it('is the first bytes, except of feeds, and images whose size comes later', () => {
    const KIB = 1024;
    assert.equal(countBytes(png(1, 1), 'image/png'), 64 * KIB);
    assert.equal(countBytes(jpeg(1, 1, 100_000), 'image/jpeg'), 128 * KIB);
    assert.equal(countBytes(jpeg(1, 1, 600_000), 'image/jpeg'), 256 * KIB);
    assert.equal(countBytes('\0\0\0\x08ftyp', 'video/mp4'), 64 * KIB);
    assert.equal(countBytes('%PDF-1.4', 'application/pdf'), 64 * KIB);
    assert.equal(countBytes('{"a":1}', 'application/json'), 64 * KIB);
    assert.equal(countBytes('PK', 'application/zip'), 64 * KIB);
    for (const [start, type] of [
      ['<rss>', 'application/rss+xml'],
      ['<rss>', 'text/xml'],
    ] as const)
      assert.equal(countBytes(start, type), 2048 * KIB, type);
  });
});

describe('files of attackers', () => {
  const files: readonly (readonly [type: string, bytes: Buffer])[] = [
    [
      'application/rss+xml',
      Buffer.from('<rss><channel><title>T</title><item a="b"/><!-- --></channel></rss>'),
    ],
    [
      'application/feed+json',
      Buffer.from('{"version":"https://jsonfeed.org/version/1","title":"T","items":[]}'),
    ],
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
      for (const name of ['width', 'height', 'entries'] as const)
        assert.ok(
          file![name] === null || Number.isSafeInteger(file![name]),
          `${name} ${bytes.toString('hex')}`,
        );
    }
  });

  it('cost less than 60 ms as feeds of tags', () => {
    const feeds: readonly (readonly [start: string, part: string])[] = [
      [`<rss>${'<a>'.repeat(90)}`, '</z>'],
      ...['<a/>', '<item/>', '<a></a>', '&', '&a;', '<a b=c>', '<!DOCTYPE a [<!ENTITY b "c">'].map(
        (part) => ['<rss>', part] as const,
      ),
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

  it('take linear time', () => {
    const size = 2 * 1024 * 1024;
    const fill = (start: string, part: string) =>
      Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size, part, 'latin1')]);
    const slow: readonly (readonly [type: string, bytes: Buffer])[] = [
      ['application/rss+xml', fill('<rss>', '<a>')],
      ['application/rss+xml', fill('<rss>', '<item ')],
      ['application/rss+xml', fill('<rss>', '<!--')],
      ['application/rss+xml', fill('<rss>', `<a b="'>`)],
      ['application/rss+xml', fill('<rss><channel><title>', '&amp;')],
      ['application/rss+xml', fill('<rss>', '<![CDATA[')],
      ['application/json', fill('{"version":"https://jsonfeed.org/version/1"', '[')],
      ['application/json', fill('', '"version"   ')],
    ];
    for (const [type, bytes] of slow) {
      const head = pageHead('https://a.example/', { 'content-type': type, 'content-length': String(size) });
      const describeIt = () => describeBytes(bytes.subarray(0, size), head, { details: true });
      assert.ok(isFasterThan(200, describeIt), `${type} ${bytes.toString('latin1', 0, 60)}`);
    }
  });
});
