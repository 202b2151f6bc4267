/** Big-endian fields of a table: [bytes, value]. */
type Field = [size: 1 | 2 | 4 | 8, value: number];

function pack(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeIntBE(
        value > 0x7f_ff_ff_ff ? value - 2 ** 32 : value,
        Math.max(0, size - 6),
        Math.min(size, 6),
      );
      return bytes;
    }),
  );
}

const repeat = (count: number, value = 0): Field[] => Array.from({ length: count }, () => [2, value]);

/** A square of 800 units, as a simple glyph with the points of its corners. */
const SQUARE = pack([
  [2, 1],
  [2, 0],
  [2, 0],
  [2, 800],
  [2, 800],
  [2, 3],
  [2, 0],
  [1, 1],
  [1, 1],
  [1, 1],
  [1, 1],
  [2, 0],
  [2, 0],
  [2, 800],
  [2, 0],
  [2, 0],
  [2, 800],
  [2, 0],
  [2, -800],
  [2, 0],
]);

const TABLES: Record<string, Buffer> = {
  'OS/2': pack([
    [2, 4],
    [2, 1000],
    [2, 400],
    [2, 5],
    ...repeat(12),
    ...repeat(5),
    ...repeat(8),
    [4, 0x20_20_20_20],
    [2, 64],
    [2, 0xe0_00 - 0x1_00_00],
    [2, 0xe0_00 - 0x1_00_00],
    [2, 800],
    [2, -200],
    [2, 0],
    [2, 800],
    [2, 200],
    ...repeat(4),
    ...repeat(5),
  ]),
  cmap: pack([
    [2, 0],
    [2, 1],
    [2, 3],
    [2, 10],
    [4, 12],
    [2, 12],
    [2, 0],
    [4, 28],
    [4, 0],
    [4, 1],
    [4, 0xe0_00],
    [4, 0xe0_00],
    [4, 1],
  ]),
  glyf: SQUARE,
  head: pack([
    [4, 0x1_00_00],
    [4, 0x1_00_00],
    [4, 0],
    [4, 0x5f_0f_3c_f5],
    [2, 0],
    [2, 1000],
    [8, 0],
    [8, 0],
    [2, 0],
    [2, 0],
    [2, 800],
    [2, 800],
    [2, 0],
    [2, 8],
    [2, 2],
    [2, 0],
    [2, 0],
  ]),
  hhea: pack([
    [4, 0x1_00_00],
    [2, 800],
    [2, -200],
    [2, 0],
    [2, 1000],
    [2, 0],
    [2, 0],
    [2, 800],
    [2, 1],
    ...repeat(7),
    [2, 2],
  ]),
  hmtx: pack([
    [2, 1000],
    [2, 0],
    [2, 1000],
    [2, 0],
  ]),
  loca: pack([
    [2, 0],
    [2, 0],
    [2, SQUARE.length / 2],
  ]),
  maxp: pack([[4, 0x1_00_00], [2, 2], [2, 4], [2, 1], ...repeat(2), [2, 2], ...repeat(8)]),
  name: pack([
    [2, 0],
    [2, 0],
    [2, 6],
  ]),
  post: pack([[4, 0x3_00_00], ...repeat(14)]),
};

/** Creates a TrueType font whose only character is U+E000, a square. Checksums are not verified. */
export function createIconFont(): Buffer {
  const names = Object.keys(TABLES);
  let offset = 12 + 16 * names.length;
  const padded: Buffer[] = [];
  const directory = names.map((name) => {
    const table = TABLES[name] as Buffer;
    const entry = Buffer.concat([
      Buffer.from(name),
      pack([
        [4, 0],
        [4, offset],
        [4, table.length],
      ]),
    ]);
    padded.push(table, Buffer.alloc((4 - (table.length % 4)) % 4));
    offset += Math.ceil(table.length / 4) * 4;
    return entry;
  });
  return Buffer.concat([
    pack([
      [4, 0x1_00_00],
      [2, names.length],
      [2, 128],
      [2, 3],
      [2, 32],
    ]),
    ...directory,
    ...padded,
  ]);
}
