/**
 * The sRGB color space (IEC 61966-2-1) as an ICC profile (ICC.1:2004-10, version 4.2), made from the numbers
 * of the standards: no foreign file is part of the PDFs.
 */

/** The primaries and the white point of sRGB, adapted to D50 by the Bradford transform. */
const COLORANTS = {
  rXYZ: [0.436_066, 0.222_488, 0.013_916],
  gXYZ: [0.385_147, 0.716_873, 0.097_076],
  bXYZ: [0.143_066, 0.060_608, 0.714_096],
} as const;
const D50 = [0.9642, 1, 0.824_9] as const;
/** The matrix that adapts D65 to D50, by rows. */
const ADAPTATION = [
  1.047_882, 0.022_919, -0.050_217, 0.029_587, 0.990_479, -0.017_059, -0.009_232, 0.015_076, 0.751_678,
];
/** Y = (aX + b)^g for X ≥ d, else Y = cX. */
const CURVE = { g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.040_45 };
const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;

/** Creates the profile, always with the same bytes. */
export function createSrgbProfile(): Buffer {
  const curve = createElement('para', [Buffer.from([0, 3, 0, 0]), toFixed(Object.values(CURVE))]);
  const tags: [name: string, element: Buffer][] = [
    ['desc', createText('sRGB IEC61966-2.1')],
    ['cprt', createText('No copyright, use freely')],
    ['wtpt', createElement('XYZ ', [toFixed(D50)])],
    ['chad', createElement('sf32', [toFixed(ADAPTATION)])],
    ...Object.entries(COLORANTS).map(([name, xyz]): [string, Buffer] => [
      name,
      createElement('XYZ ', [toFixed(xyz)]),
    ]),
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  return assemble(tags);
}

function assemble(tags: readonly [name: string, element: Buffer][]): Buffer {
  const table = Buffer.alloc(4 + tags.length * ENTRY_BYTES);
  table.writeUInt32BE(tags.length);
  let end = HEADER_BYTES + table.length;
  const parts: Buffer[] = [];
  const places = new Map<Buffer, number>();
  for (const [index, [name, element]] of tags.entries()) {
    const place = places.get(element) ?? end;
    if (place === end) {
      parts.push(element);
      places.set(element, place);
      end += element.length;
    }
    const entry = table.subarray(4 + index * ENTRY_BYTES);
    entry.write(name, 0, 'latin1');
    entry.writeUInt32BE(place, 4);
    entry.writeUInt32BE(element.length, 8);
  }
  return Buffer.concat([createHeader(end), table, ...parts], end);
}

/** Creates the header of a profile of a display (ICC.1 §7.2). */
function createHeader(size: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(0x04_20_00_00, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + index * 2);
  header.write('acsp', 36, 'latin1');
  toFixed(D50).copy(header, 68);
  return header;
}

/** Creates an element: its type, four bytes of zero, its data, padded to a multiple of four bytes. */
function createElement(type: string, data: readonly Buffer[]): Buffer {
  const element = Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), ...data]);
  return Buffer.concat([element, Buffer.alloc(-element.length & 3)]);
}

/** Creates a text in English (multiLocalizedUnicodeType, ICC.1 §10.13). */
function createText(text: string): Buffer {
  const characters = Buffer.from(text, 'utf16le').swap16();
  const head = Buffer.alloc(20);
  head.writeUInt32BE(1, 0);
  head.writeUInt32BE(12, 4);
  head.write('enUS', 8, 'latin1');
  head.writeUInt32BE(characters.length, 12);
  head.writeUInt32BE(28, 16);
  return createElement('mluc', [head, characters]);
}

/** Formats numbers as s15Fixed16. */
function toFixed(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(Math.round(number * 65_536), index * 4);
  return bytes;
}
