import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

/** A harmless page. */
export const PAGE =
  '<!doctype html><html lang="en"><head><title>hostile</title><meta name="description" content="described"></head><body><p>text</p></body></html>';

const open = (head: string) => `<!doctype html><html><head><title>hostile</title>${head}`;

/** HTML documents that attack the parser, by id. */
export const HOSTILE_PAGES: Record<string, () => Buffer | string> = {
  meta_1e6: () => open('<meta name="a" content="b">'.repeat(1_000_000)),
  meta_80k: () => open('<meta name="a" content="b">'.repeat(80_000)),
  title_unclosed: () => `<!doctype html><html><head><title>hostile ${'x'.repeat(200_000)}`,
  attrs_100k: () =>
    `<html ${Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(' ')}><title>hostile</title>`,
  attrs_1m: () => `<meta ${'c '.repeat(1_000_000)}><title>hostile</title>`,
  dup_attrs: () => `<meta ${'content=a '.repeat(100_000)}><title>hostile</title>`,
  entities: () => `<title>${'&CounterClockwiseContourIntegral;'.repeat(30_000)}</title>`,
  lt_flood: () => open('<'.repeat(1_500_000)),
  quote_flood: () => open(`<meta content="${'"'.repeat(1_500_000)}`),
  jsonld_deep: () =>
    open(`<script type="application/ld+json">${'['.repeat(100_000)}${']'.repeat(100_000)}</script>`),
  og_private: () =>
    open(
      '<meta property="og:image" content="http://127.0.0.1/a.png"><link rel="icon" href="http://10.0.0.5/i.ico">' +
        '<link rel="canonical" href="http://169.254.169.254/"><link rel="manifest" href="http://10.0.0.5/m.json">' +
        '<link rel="alternate" type="application/json+oembed" href="http://10.0.0.5/oembed">',
    ),
  og_js: () =>
    open('<meta property="og:image" content="javascript:alert(1)"><link rel="icon" href="javascript:1">'),
  control_chars: () => '<title>hos\u0001\u0008tile\u0000\u001b[31m</title>',
  xml_bomb: () =>
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]><html xmlns="http://www.w3.org/1999/xhtml"><head><title>&c;</title></head></html>',
  xxe: () =>
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html xmlns="http://www.w3.org/1999/xhtml"><head><title>hostile &x;</title></head></html>',
  utf7: () => '<meta charset="utf-7"><title>+ADw-script+AD4-</title>',
  charset_lie: () =>
    Buffer.concat([
      Buffer.from('<title>'),
      Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
      Buffer.from('</title>'),
    ]),
  deep_nesting: () => open('<div>'.repeat(300_000)),
  comment_flood: () => open('<!--'.repeat(300_000)),
  svg_names: () => {
    const names = (slash: string) => Array.from({ length: 100_000 }, (_, n) => `<${slash}n${n}>`).join('');
    return open(`<svg>${names('')}${names('/')}`);
  },
  points_deep: () => open('<math><mi><svg><desc>'.repeat(90_000)),
  link_80k: () => open('<link rel=icon href=a>'.repeat(80_000)),
  rel_long: () => open(`<link rel="icon ${'a '.repeat(900_000)}" href=x>`),
  references_long: () => `<title>hostile&#${'0'.repeat(1_500_000)}65;</title>`,
  nul_flood: () => Buffer.alloc(1_500_000),
  base_private: () => open('<base href="http://10.0.0.5/"><link rel="icon" href="i.ico">'),
  refresh_private: () =>
    '<meta http-equiv="refresh" content="0;url=http://127.0.0.1/"><title>hostile</title>',
  refresh_self: () => '<meta http-equiv="refresh" content="0"><title>hostile</title>',
};

const BOMB_BYTES = 16 * 1024 * 1024;
const bomb = () =>
  Buffer.concat([Buffer.from(PAGE.replace('</body></html>', '')), Buffer.alloc(BOMB_BYTES, 0x20)]);
const page = Buffer.from(PAGE + ' '.repeat(5000));

/** A zstd frame whose header declares a window of 2 GiB. */
function zstdHugeWindow(): Buffer {
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3]),
    Buffer.from([0x09, 0x00, 0x00]),
    Buffer.from('<'),
  ]);
}

function corrupt(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let index = 12; index < Math.min(copy.length, 60); index += 1) copy[index] = (copy[index] ?? 0) ^ 0xa5;
  return copy;
}

/** A Content-Encoding and a body, by id. */
export const CODED_BODIES: Record<string, () => [encoding: string, body: Buffer | string]> = {
  gzip_ok: () => ['gzip', gzipSync(page)],
  br_ok: () => ['br', brotliCompressSync(page)],
  zstd_ok: () => ['zstd', zstdCompressSync(page)],
  deflate_ok: () => ['deflate', deflateSync(page)],
  deflate_raw: () => ['deflate', deflateRawSync(page)],
  gzip_upper: () => ['GZIP', gzipSync(page)],
  gzip_bomb: () => ['gzip', gzipSync(bomb(), { level: 9 })],
  deflate_bomb: () => ['deflate', deflateSync(bomb(), { level: 9 })],
  zstd_bomb: () => ['zstd', zstdCompressSync(bomb())],
  br_bomb: () => ['br', brotliCompressSync(bomb(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  gzip_members: () => ['gzip', Buffer.concat([gzipSync(PAGE.slice(0, 40)), gzipSync(PAGE.slice(40))])],
  gzip_trailing_garbage: () => ['gzip', Buffer.concat([gzipSync(page), Buffer.from('garbage')])],
  gzip_truncated: () => ['gzip', gzipSync(page).subarray(0, 60)],
  gzip_corrupt: () => ['gzip', corrupt(gzipSync(page))],
  br_corrupt: () => ['br', corrupt(brotliCompressSync(page))],
  zstd_corrupt: () => ['zstd', corrupt(zstdCompressSync(page))],
  gzip_empty: () => ['gzip', ''],
  gzip_lie: () => ['gzip', PAGE],
  br_lie: () => ['br', PAGE],
  zstd_lie: () => ['zstd', PAGE],
  deflate_lie: () => ['deflate', PAGE],
  gzip_twice: () => ['gzip, gzip', gzipSync(gzipSync(page))],
  gzip_chain_900: () => [Array.from({ length: 900 }, () => 'gzip').join(', '), gzipSync(page)],
  encoding_unknown: () => ['x-unknown', PAGE],
  encoding_compress: () => ['compress', PAGE],
  zstd_window_2g: () => ['zstd', zstdHugeWindow()],
};
