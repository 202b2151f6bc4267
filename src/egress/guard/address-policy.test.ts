import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it, mock } from 'node:test';
import {
  type AddressPolicyOptions,
  createAddressPolicy as create,
  findReach,
  openInterfaceAddresses,
  restrictPolicy,
} from './address-policy.ts';
import { cidr, parseCidr, parseIpAddress } from './ip-address.ts';

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

const closed: AddressPolicyOptions = {
  allowCidrs: [],
  denyCidrs: [],
  ports: [80, 443],
  denyEndpoints: () => [],
};
const OWN = ['127.0.0.1', '::1', '10.9.8.7', 'fe80::1%eth0', '198.41.0.4', '2a01:4f8::1'];

const createAddressPolicy = (options: AddressPolicyOptions, own = OWN) => {
  const interfaces = openInterfaceAddresses({ list: () => own });
  interfaces.close();
  return create(options, interfaces);
};

describe('the address policy', () => {
  it('permits public addresses on the listed ports only', () => {
    const policy = createAddressPolicy(closed);
    assert.equal(policy.permits('8.8.8.8', 443), true);
    assert.equal(policy.permits('8.8.8.8', 5432), false);
    assert.equal(policy.permits('8.8.8.8', 0), false);
    assert.equal(policy.permits('10.0.0.5', 80), false);
    assert.equal(policy.permits('public.example.com', 80), false);
  });

  it('restricted to a reach, permits public addresses or those that the operator has opened, never both', () => {
    const allowCidrs = [cidr('10.0.0.0/8'), cidr('9.9.9.0/24'), cidr('64:ff9b::/96')];
    const policy = createAddressPolicy({ ...closed, allowCidrs });
    const [outside, inside] = [restrictPolicy(policy, 'public'), restrictPolicy(policy, 'opened')];
    for (const [address, port, reach] of [
      ['8.8.8.8', 443, 'public'],
      ['9.9.9.9', 443, 'public'],
      ['9.9.9.9', 6379, 'none'],
      ['64:ff9b::8.8.8.8', 443, 'public'],
      ['10.1.2.3', 9000, 'opened'],
      ['64:ff9b::10.1.2.3', 443, 'opened'],
      ['192.168.0.1', 443, 'none'],
      ['198.41.0.4', 443, 'none'],
      ['8.8.8.8', 9000, 'none'],
      ['no address', 443, 'none'],
    ] as const) {
      assert.equal(outside.permits(address, port), reach === 'public', address);
      assert.equal(inside.permits(address, port), reach === 'opened', address);
    }
  });

  it('an unknown peer is of no reach, so that it never counts as opened', () => {
    const policy = createAddressPolicy({ ...closed, allowCidrs: [cidr('10.0.0.0/8')] });
    const find = (address: string) => findReach(policy, address, 443);
    assert.deepEqual(['10.1.2.3', '8.8.8.8', '', 'no address', '192.168.0.1'].map(find), [
      'opened',
      'public',
      null,
      null,
      null,
    ]);
  });

  it('permits every port of public addresses with *, but no private address', () => {
    const policy = createAddressPolicy({ ...closed, ports: '*' });
    assert.equal(policy.permits('8.8.8.8', 5432), true);
    assert.equal(policy.permits('8.8.8.8', 0), false);
    assert.equal(policy.permits('127.0.0.1', 80), false);
  });

  it('permits an allowed range with all its ports, in any spelling', () => {
    const policy = createAddressPolicy({ ...closed, allowCidrs: [cidr('10.0.0.0/8'), cidr('fd00::/8')] });
    assert.equal(policy.permits('10.1.2.3', 9999), true);
    assert.equal(policy.permits('::ffff:10.1.2.3', 9999), true);
    assert.equal(policy.permits('fd12::1', 22), true);
    assert.equal(policy.permits('11.0.0.1', 9999), false);
    assert.equal(policy.permits('fc00::1', 80), false);
  });

  it('permits the public Internet behind an allowed NAT64 gateway, not private addresses there', () => {
    const policy = createAddressPolicy({ ...closed, allowCidrs: [cidr('64:ff9b::/96')] });
    assert.equal(policy.permits('64:ff9b::808:808', 443), true);
    assert.equal(policy.permits('64:ff9b::a00:5', 443), false);
    assert.equal(policy.permits('64:ff9b::7f00:1', 443), false);
    assert.equal(policy.permits('64:ff9b::a9fe:a9fe', 443), false);
    assert.equal(createAddressPolicy(closed).permits('64:ff9b::808:808', 443), false);
    const narrower = { ...closed, allowCidrs: [cidr('64:ff9b::/96')], denyCidrs: [cidr('8.8.8.8/32')] };
    assert.equal(createAddressPolicy(narrower).permits('64:ff9b::808:808', 443), false);
  });

  it('refuses a denied range, also if it is allowed or public', () => {
    const denyCidrs = [cidr('10.0.0.0/24'), cidr('8.8.8.8/32')];
    const policy = createAddressPolicy({ ...closed, allowCidrs: [cidr('10.0.0.0/8')], denyCidrs });
    assert.equal(policy.permits('10.0.0.9', 80), false);
    assert.equal(policy.permits('::ffff:10.0.0.9', 80), false);
    assert.equal(policy.permits('10.0.1.9', 80), true);
    assert.equal(policy.permits('8.8.8.8', 443), false);
  });

  it('refuses the addresses of the machine’s interfaces on every port, in any spelling', () => {
    const policy = createAddressPolicy({ ...closed, ports: '*' });
    for (const own of ['198.41.0.4', '2a01:4f8::1', '2A01:4F8:0:0:0:0:0:1', '2a01:4f8::0.0.0.1']) {
      for (const port of [80, 443, 8080, 22])
        assert.equal(policy.permits(own, port), false, `${own} ${port}`);
    }
    assert.equal(policy.permits('::ffff:198.41.0.4', 80), false);
    assert.equal(policy.permits('2a01:4f8::5efe:c629:4', 80), false, 'ISATAP');
    assert.equal(policy.permits('2a01:4f8::2', 80), true);
    assert.equal(policy.permits('198.41.0.5', 80), true);
    assert.equal(createAddressPolicy(closed, []).permits('198.41.0.4', 80), true);
  });

  it('refuses an interface’s address behind an allowed NAT64 gateway', () => {
    const allowCidrs = [cidr('64:ff9b::/96')];
    assert.equal(createAddressPolicy({ ...closed, allowCidrs }).permits('64:ff9b::c629:4', 80), false);
    assert.equal(createAddressPolicy({ ...closed, allowCidrs }).permits('64:ff9b::c629:5', 80), true);
    const opened = { ...closed, allowCidrs: [...allowCidrs, cidr('198.41.0.4/32')] };
    assert.equal(createAddressPolicy(opened).permits('64:ff9b::c629:4', 80), true);
  });

  it('permits an interface’s address that the operator allows', () => {
    const policy = createAddressPolicy({ ...closed, allowCidrs: [cidr('198.41.0.4/32')] });
    assert.equal(policy.permits('198.41.0.4', 9000), true);
    assert.equal(policy.permits('2a01:4f8::1', 443), false);
  });

  it('refuses the sockets of the service inside an allowed range', () => {
    const endpoints = [
      { address: '127.0.0.1', port: 3000 },
      { address: '10.9.8.7', port: 5432 },
    ];
    const allowCidrs = [cidr('127.0.0.0/8'), cidr('::/0'), cidr('10.0.0.0/8'), cidr('0.0.0.0/8')];
    const policy = createAddressPolicy({ ...closed, allowCidrs, denyEndpoints: () => endpoints });
    assert.equal(policy.permits('127.0.0.1', 3000), false);
    assert.equal(policy.permits('::ffff:127.0.0.1', 3000), false);
    assert.equal(policy.permits('0.0.0.0', 3000), false, 'the unspecified address connects to loopback');
    assert.equal(policy.permits('127.0.0.2', 3000), true);
    assert.equal(policy.permits('127.0.0.1', 3001), true);
    assert.equal(policy.permits('10.9.8.7', 5432), false);
    endpoints.length = 0;
    assert.equal(policy.permits('127.0.0.1', 3000), true, 'asked anew at each decision');
  });

  it('treats a wildcard listener as every local address, including public ones', () => {
    const allowCidrs = [cidr('127.0.0.0/8'), cidr('::1/128'), cidr('10.0.0.0/8'), cidr('fe80::/10')];
    for (const address of ['0.0.0.0', '::']) {
      const policy = createAddressPolicy({
        ...closed,
        allowCidrs,
        denyEndpoints: () => [{ address, port: 80 }],
      });
      for (const local of ['127.0.0.1', '127.1.2.3', '::1', '10.9.8.7', 'fe80::1', '198.41.0.4']) {
        assert.equal(policy.permits(local, 80), false, `${local} of ${address}`);
      }
      assert.equal(policy.permits('10.9.8.6', 80), true);
      assert.equal(policy.permits('127.0.0.1', 81), true);
      assert.equal(policy.permits('8.8.8.8', 80), true);
    }
  });

  it('treats an endpoint that is a name as every address that is not public', () => {
    const policy = createAddressPolicy({
      ...closed,
      allowCidrs: [cidr('10.0.0.0/8')],
      ports: '*',
      denyEndpoints: () => [{ address: 'db', port: 5432 }],
    });
    assert.equal(policy.permits('10.0.0.5', 5432), false);
    assert.equal(policy.permits('10.0.0.5', 5433), true);
    assert.equal(policy.permits('8.8.8.8', 5432), true);
  });
});

describe('parseCidr', () => {
  it('parses blocks and single addresses of both families', () => {
    assert.equal(parseCidr('10.0.0.0/8')?.prefixLength, 8);
    assert.equal(parseCidr(' 192.168.1.7 ')?.prefixLength, 32);
    assert.equal(parseCidr('::1')?.prefixLength, 128);
    assert.equal(parseCidr('fd00::/8')?.family, 6);
    assert.equal(parseCidr('0.0.0.0/0')?.prefixLength, 0);
  });

  it('returns null for other text, and for bits set beyond the length', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.1/8',
      '10/8',
      'localhost',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '::ffff:10.0.0.0/104',
      '10.0.0.0/08x',
      'fe80::%lo/10',
    ]) {
      assert.equal(parseCidr(text), null, text);
    }
  });
});
