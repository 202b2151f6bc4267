import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseServerAddress, getSystemServers } from './resolver.ts';

describe('addresses of name servers', () => {
  const readable: [string, string, number][] = [
    ['192.0.2.1', '192.0.2.1', 53],
    ['192.0.2.1:5353', '192.0.2.1', 5353],
    ['2001:db8::1', '2001:db8::1', 53],
    ['[2001:db8::1]', '2001:db8::1', 53],
    ['[2001:db8::1]:5353', '2001:db8::1', 5353],
    ['fe80::1%eth0', 'fe80::1%eth0', 53],
  ];
  for (const [text, host, port] of readable) {
    it(`${text} is read`, () => assert.deepEqual(parseServerAddress(text), { host, port }));
  }

  for (const text of [
    '',
    'dns.example.com',
    '192.0.2',
    '192.0.2.1:',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '[192.0.2.1]:53',
    '[::1',
    '::1]:53',
    '192.0.2.1:53 ',
  ]) {
    it(`${JSON.stringify(text)} is not`, () => assert.equal(parseServerAddress(text), null));
  }

  it('those of the system are addresses with ports', () => {
    for (const { host, port } of getSystemServers()) {
      assert.ok(parseServerAddress(host), host);
      assert.ok(port >= 1 && port <= 65_535);
    }
  });
});
