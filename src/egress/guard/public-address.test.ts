import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress } from './public-address.ts';

const IPV4_BLOCKS: [base: string, length: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['168.63.129.16', 32],
];

const parseIpv4 = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const writeIpv4 = (value: number) => [24, 16, 8, 0].map((shift) => (value / 2 ** shift) & 255).join('.');

/** The same rule, computed with plain numbers. */
function isPublicIpv4(value: number): boolean {
  return !IPV4_BLOCKS.some(([base, length]) => {
    const size = 2 ** (32 - length);
    return value >= parseIpv4(base) && value < parseIpv4(base) + size;
  });
}

function isPublicIpv6(value: bigint): boolean {
  const top = (bits: number) => value >> BigInt(128 - bits);
  if (top(3) !== 1n) return false;
  const isIsatap = ((value >> 32n) & 0xfdffffffn) === 0x5efen;
  if (isIsatap && !isPublicIpv4(Number(value & 0xffffffffn))) return false;
  if (top(23) === 0x2001_0000n >> 9n || top(32) === 0x2001_0db8n || top(16) === 0x2002n) return false;
  return top(48) !== 0x2620_004f_8000n && top(20) !== 0x3fff0n;
}

function writeIpv6(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16),
  ).join(':');
}

/** mulberry32: the same numbers each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

describe('isPublicAddress', () => {
  it('is false for the special addresses that other guards have missed', () => {
    const special = [
      '0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254', '169.254.169.254',
      '172.31.255.255', '192.0.0.192', '192.0.0.9', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.1.1',
      '192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250',
      '240.0.0.1', '255.255.255.255', '168.63.129.16', '::', '::1', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1',
      '::ffff:8.8.8.8', '::ffff:0:7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::a00:5', '100::1', '100:0:0:1::1', '2001::1',
      '2001:2::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2620:4f:8000::1', '3fff::1', '4000::1', '5f00::1',
      'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1',
      '2a00:1450::5efe:10.0.0.5', '2a00:1450::200:5efe:7f00:1',
    ]; // prettier-ignore
    assert.deepEqual(special.filter(isPublicAddress), []);
  });

  it('is true for the public Internet', () => {
    const open = [
      '1.1.1.1', '8.8.8.8', '93.184.215.14', '100.63.255.255', '100.128.0.0', '168.63.129.15', '168.63.129.17', '172.15.255.255',
      '172.32.0.0', '192.0.1.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2001:200::1', '2001:4860:4860::8888',
      '2606:2800:21f::14', '2a00:1450::5efe:8.8.8.8', '3ffe:ffff::1',
    ]; // prettier-ignore
    assert.deepEqual(
      open.filter((address) => !isPublicAddress(address)),
      [],
    );
  });

  it('is false for text that is not an address', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '01.2.3.4',
      '1.2.3.4.5',
      '[::1]',
      '::1::',
      '12345::',
      '1.2.3.4/8',
      ' 8.8.8.8',
    ]) {
      assert.equal(isPublicAddress(text), false, text);
    }
  });

  it('agrees with plain arithmetic on both sides of every boundary and on random addresses', () => {
    const random = createRandom(20_261_121);
    const count = process.env.TEST_FULL === '1' ? 200_000 : 20_000;
    const borders = IPV4_BLOCKS.flatMap(([base, length]) => {
      const start = parseIpv4(base);
      return [start - 1, start, start + 2 ** (32 - length) - 1, start + 2 ** (32 - length)];
    }).filter((value) => value >= 0 && value < 2 ** 32);
    for (const value of [...borders, ...Array.from({ length: count }, random)]) {
      assert.equal(isPublicAddress(writeIpv4(value)), isPublicIpv4(value), writeIpv4(value));
    }
    const prefixes = [
      0n,
      0x2001n,
      0x20010db8n >> 16n,
      0x2002n,
      0x2620n,
      0x3fffn,
      0x64n,
      0xfe80n,
      0xfd00n,
      0x2a00n,
    ];
    for (let index = 0; index < count; index += 1) {
      const words = Array.from({ length: 4 }, () => BigInt(random()));
      const body = words.reduce((sum, word) => (sum << 32n) | word, 0n);
      const prefix = prefixes[index % 20];
      let value = prefix === undefined ? body : (prefix << 112n) | (body >> 16n);
      if (index % 7 === 0) value = (value & ~(0xffffffffn << 32n)) | (0x5efen << 32n);
      if (index % 11 === 0) value &= ~(0xffffn << 96n);
      assert.equal(isPublicAddress(writeIpv6(value)), isPublicIpv6(value), writeIpv6(value));
    }
  });
});
