import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readAddressBlock } from './caller-address.ts';

it('counts an IPv4 address as itself, also where it comes mapped', () => {
  assert.equal(readAddressBlock('192.0.2.7'), '192.0.2.7');
  assert.equal(readAddressBlock('::ffff:192.0.2.7'), '192.0.2.7');
});

it('counts an IPv6 address as its /64, however it is written', () => {
  assert.equal(readAddressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(readAddressBlock('2001:0DB8:0001:2::9'), '2001:db8:1:2::/64');
  assert.equal(readAddressBlock('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(readAddressBlock('::1'), '0:0:0:0::/64');
  assert.equal(readAddressBlock('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

it('leaves out the port that some proxies write', () => {
  assert.equal(readAddressBlock('192.0.2.7:50123'), '192.0.2.7');
  assert.equal(readAddressBlock('[2001:db8::1]:443'), '2001:db8:0:0::/64');
  assert.equal(readAddressBlock('[2001:db8::1]'), '2001:db8:0:0::/64');
});
