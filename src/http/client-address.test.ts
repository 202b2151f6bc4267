import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeAddressBlock, formatAddress } from './client-address.ts';

it('an IPv4 address is its own block, also as an IPv4-mapped IPv6 address', () => {
  assert.equal(computeAddressBlock('192.0.2.7'), '192.0.2.7');
  assert.equal(computeAddressBlock('::ffff:192.0.2.7'), '192.0.2.7');
});

it('the block of an IPv6 address is its /64, in any spelling', () => {
  assert.equal(computeAddressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(computeAddressBlock('2001:0DB8:0001:2::9'), '2001:db8:1:2::/64');
  assert.equal(computeAddressBlock('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(computeAddressBlock('2001::2:3:4:5:6:7'), '2001:0:2:3::/64');
  assert.equal(computeAddressBlock('2001::3:4:5:6:7'), '2001:0:0:3::/64');
  assert.equal(computeAddressBlock('::1:2:3:4:5:6:7'), '0:1:2:3::/64');
  assert.equal(computeAddressBlock('2001:db8::'), '2001:db8:0:0::/64');
  assert.equal(computeAddressBlock('::1'), '0:0:0:0::/64');
  assert.equal(computeAddressBlock('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

it('the port that some proxies add is ignored', () => {
  assert.equal(computeAddressBlock('192.0.2.7:50123'), '192.0.2.7');
  assert.equal(computeAddressBlock('[2001:db8::1]:443'), '2001:db8:0:0::/64');
  assert.equal(computeAddressBlock('[2001:db8::1]'), '2001:db8:0:0::/64');
});

it('an address is formatted for people; other text that a proxy forwards is none', () => {
  assert.equal(formatAddress('192.0.2.7:50123'), '192.0.2.7');
  assert.equal(formatAddress('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(formatAddress('[2001:0DB8:0000:0000::0001]:443'), '2001:db8::1');
  assert.equal(formatAddress('fe80::1%eth0'), 'fe80::1');
  for (const text of ['', 'unknown', '192.0.2.7.8', '<b>']) assert.equal(formatAddress(text), null);
});
