import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { avif, bmp, gif, ico, jpeg, png, svg, webp } from '../../../test/metadata/images.ts';
import { seeded } from '../../../test/support/random.ts';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { measureImage } from './measure-image.ts';

const IMAGES: readonly (readonly [type: string, bytes: Buffer, width: number, height: number])[] = [
  ['image/png', png(1200, 630), 1200, 630],
  ['image/gif', gif(3, 70), 3, 70],
  ['image/jpeg', jpeg(640, 480), 640, 480],
  ['image/jpeg', jpeg(4000, 3000, 110_000), 4000, 3000],
  ['image/webp', webp(1024, 20), 1024, 20],
  ['image/avif', avif(800, 418), 800, 418],
  ['image/x-icon', ico(16, 256, 48), 256, 256],
  ['image/x-icon', ico(32), 32, 32],
  ['image/bmp', bmp(64, -32), 64, 32],
];

describe('the measure of an image', () => {
  it('is its type by the contents, and its size', () => {
    for (const [type, bytes, width, height] of IMAGES) {
      assert.deepEqual(measureImage(bytes, 'text/plain'), { type, width, height }, type);
      // A view that does not start its buffer, as network chunks are.
      const view = Buffer.concat([Buffer.alloc(7), bytes]).subarray(7);
      assert.deepEqual(measureImage(view, null), { type, width, height }, `${type} in a larger buffer`);
    }
  });

  it('names the type of an AVIF whose first brand is a general one', () => {
    const bytes = avif(8, 9);
    bytes.write('mif1', 8, 'latin1');
    bytes.write('avif', 16, 'latin1');
    assert.deepEqual(measureImage(bytes, null), { type: 'image/avif', width: 8, height: 9 });
  });

  it('has no size if the bytes end before it', () => {
    assert.deepEqual(measureImage(jpeg(640, 480, 9_000).subarray(0, 5_000), null), {
      type: 'image/jpeg',
      width: null,
      height: null,
    });
    assert.equal(measureImage(png(2, 2).subarray(0, 17), null)?.width, null);
  });

  it('is null for what is no image, and for an image without pixels', () => {
    for (const bytes of ['', '<html>', '{"a":1}', 'GIF', '\0\0\x01\0\0\0'])
      assert.equal(measureImage(Buffer.from(bytes), 'image/png'), null, bytes);
    assert.equal(measureImage(png(0, 5), 'image/png'), null);
  });

  it('of an SVG is its width and height in any unit, else that of its viewBox', () => {
    const cases: [string, number | null, number | null][] = [
      ['width="24" height="16px"', 24, 16],
      ['width="1in" height="2.54cm"', 96, 96],
      ['width="72pt" height=\'6pc\'', 96, 96],
      ['viewBox="0 0 100 50"', 100, 50],
      ['viewBox="0,0,100,50" width="20"', 20, 10],
      ['viewBox="0 0 100 50" height="100" width="100%"', 200, 100],
      ['width="100%" height="100%"', null, null],
      ['width="1e999" height="-3" viewBox="0 0 0 5"', null, null],
      ['viewBox="0 0 1e300 1"', null, 1],
      ['', null, null],
    ];
    for (const [attributes, width, height] of cases)
      assert.deepEqual(
        measureImage(svg(attributes), 'image/svg+xml; charset=utf-8'),
        { type: 'image/svg+xml', width, height },
        attributes,
      );
    const utf16 = Buffer.from(`\uFEFF<svg:svg width="9" height="9"/>`, 'utf16le');
    assert.equal(measureImage(utf16, 'image/svg+xml')?.width, 9);
  });

  it('of an SVG needs its media type, as browsers do, and svg as its root', () => {
    assert.equal(measureImage(svg('width="1" height="1"'), 'text/html'), null);
    assert.equal(measureImage(svg('width="1" height="1"'), null), null);
    assert.equal(measureImage(Buffer.from('<html><svg width="1" height="1"/>'), 'image/svg+xml'), null);
    assert.equal(measureImage(Buffer.from('<!DOCTYPE svg [<!ENTITY w "9">]>'), 'image/svg+xml'), null);
  });

  it('of damaged files takes linear time, throws nothing, and has sizes that JSON can hold', () => {
    const random = seeded(26);
    const files = [...IMAGES.map(([, bytes]) => bytes), svg('viewBox="0 0 1 1" width="3"')];
    for (let n = 0; n < 3_000; n++) {
      const bytes = Buffer.from(files[random(files.length)]!.subarray(0, 400));
      for (let changes = random(6); changes >= 0; changes--) bytes[random(bytes.length)] = random(256);
      const found = measureImage(bytes.subarray(0, random(bytes.length + 1)), 'image/svg+xml');
      for (const side of [found?.width ?? 1, found?.height ?? 1])
        assert.ok(Number.isSafeInteger(side) && side > 0, bytes.toString('hex'));
    }
  });

  it('of files that are made to be slow takes no longer than of others', () => {
    const large = 262_144;
    const slow: Record<string, Buffer> = {
      'JPEG of fill bytes': Buffer.concat([jpeg(1, 1).subarray(0, 2), Buffer.alloc(large, 0xff)]),
      'JPEG of empty segments': Buffer.alloc(large, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])),
      'AVIF of empty boxes': Buffer.concat([
        avif(1, 1).subarray(0, 24),
        Buffer.alloc(large, '\0\0\0\x08iprp'),
      ]),
      'SVG of tags that do not end': Buffer.alloc(large, '<svg '),
      'SVG of quotes': Buffer.alloc(large, `<svg a="' `),
      'SVG of comments': Buffer.alloc(large, '<!-- '),
      'SVG of equal signs': Buffer.concat([
        Buffer.from('<svg '),
        Buffer.alloc(60_000, 'a= '),
        Buffer.from('>'),
      ]),
    };
    for (const [name, bytes] of Object.entries(slow)) {
      assert.ok(
        isFasterThan(50, () => measureImage(bytes, 'image/svg+xml')),
        name,
      );
    }
  });
});
