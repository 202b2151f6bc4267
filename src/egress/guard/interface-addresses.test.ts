import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it, mock } from 'node:test';
import { openInterfaceAddresses } from './interface-addresses.ts';
import { parseIpAddress } from './ip-address.ts';

const has = (addresses: ReturnType<typeof openInterfaceAddresses>, text: string): boolean => {
  const parsed = parseIpAddress(text);
  assert.ok(parsed);
  return addresses.has(parsed);
};

describe('the addresses of the interfaces', () => {
  it('are those that the operating system reports', () => {
    const own = openInterfaceAddresses();
    own.close();
    const names = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of names) assert.ok(has(own, address), address);
    assert.equal(has(own, '8.8.8.8'), false);
  });

  it('are updated every 30 s; a failed update keeps the last ones, and is reported once', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      let addresses: string[] | null = ['198.41.0.4'];
      const errors: unknown[] = [];
      const own = openInterfaceAddresses({
        list() {
          if (addresses === null) throw new Error('no such thing here');
          return addresses;
        },
        onError: (error) => errors.push(error),
      });
      assert.equal(has(own, '198.41.0.4'), true);
      assert.equal(has(own, '::ffff:198.41.0.4'), true);
      addresses = ['198.41.0.5', '2a01:4f8::1', 'not an address'];
      mock.timers.tick(29_999);
      assert.equal(has(own, '198.41.0.5'), false);
      mock.timers.tick(1);
      assert.equal(has(own, '198.41.0.5'), true);
      assert.equal(has(own, '2A01:04f8:0::1'), true);
      assert.equal(has(own, '198.41.0.4'), false);
      addresses = null;
      mock.timers.tick(60_000);
      assert.equal(has(own, '198.41.0.5'), true);
      assert.equal(errors.length, 1);
      addresses = ['198.41.0.6'];
      mock.timers.tick(30_000);
      assert.equal(has(own, '198.41.0.6'), true);
      own.close();
      addresses = [];
      mock.timers.tick(300_000);
      assert.equal(has(own, '198.41.0.6'), true, 'closed');
    } finally {
      mock.timers.reset();
    }
  });
});
