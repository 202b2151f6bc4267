import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { VettedAddress } from '../guard/vet-target.ts';
import { interleave } from './dial.ts';

const four = (last: number): VettedAddress => ({ address: `192.0.2.${last}`, family: 4 });
const six = (last: number): VettedAddress => ({ address: `2001:db8::${last}`, family: 6 });

it('the addresses of a name are tried in turn by family, IPv6 first, each once', () => {
  const listed = interleave([four(1), four(2), four(3), six(1), six(2)]);
  assert.deepEqual(listed, [six(1), four(1), six(2), four(2), four(3)]);
});

it('of hundreds of addresses, 8 are tried', () => {
  assert.equal(interleave(Array.from({ length: 300 }, (_, index) => four(index))).length, 8);
});
