/** The addresses of a target that may be dialed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAddressPolicy, type AddressPolicy } from './address-policy.ts';
import { cidr } from './cidr.ts';
import { Refusal } from './refusal.ts';
import { parseTarget } from './target.ts';
import { vetTarget, type VettedAddress } from './vet-target.ts';

const { signal } = new AbortController();
const noInterfaces = { has: () => false, close: () => {} };

function createPolicy(allowed: string[] = []): AddressPolicy {
  const allowCidrs = allowed.map(cidr);
  return createAddressPolicy(
    { allowCidrs, denyCidrs: [], ports: [80, 443], denyEndpoints: () => [] },
    noInterfaces,
  );
}

const toAddress = (address: string): VettedAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/**
 * Vets `url`, with these addresses for its name. Returns the addresses to dial and the names that were looked
 * up.
 */
async function vet(url: string, addresses: string[], policy = createPolicy()) {
  const names: string[] = [];
  const lookup = (name: string) => {
    names.push(name);
    return Promise.resolve({ outcome: 'addresses' as const, addresses: addresses.map(toAddress) });
  };
  const vetted = await vetTarget(parseTarget(new URL(url)), policy, lookup, signal);
  return { names, dialed: vetted.map(({ address }) => address) };
}

describe('the addresses of a target', () => {
  it('are all those of the name, in order, from one lookup', async () => {
    const addresses = ['93.184.215.14', '2606:2800:21f::1', '1.1.1.1'];
    assert.deepEqual(await vet('http://a.com/', addresses), { names: ['a.com'], dialed: addresses });
  });

  it('refuse the whole name if one of them is not permitted, at any position', async () => {
    const permitted = ['93.184.215.14', '2606:2800:21f::1', '1.1.1.1'];
    for (const refused of ['10.0.0.5', '127.0.0.1', '::1', 'fd00::1', '::ffff:93.184.215.14']) {
      for (let at = 0; at <= permitted.length; at += 1)
        await assert.rejects(vet('http://a.com/', permitted.toSpliced(at, 0, refused)), Refusal);
    }
  });

  it('refuse a name without addresses', async () => {
    await assert.rejects(vet('http://a.com/', []), Refusal);
  });

  it('have one message for a port that is not fetched: of the service itself too, without a wrong hint', async () => {
    const allowCidrs = [cidr('10.0.0.0/8')];
    const own = [{ address: '10.0.0.5', port: 3000 }];
    const policy = createAddressPolicy(
      { allowCidrs, denyCidrs: [], ports: [80, 443], denyEndpoints: () => own },
      noInterfaces,
    );
    assert.deepEqual((await vet('http://10.0.0.5:3001/', [], policy)).dialed, ['10.0.0.5']);
    const messages = new Set<string | undefined>();
    for (const host of ['10.0.0.5', '93.184.215.14', '192.168.0.1'])
      for (const allowing of host === '10.0.0.5' ? [policy] : [policy, createPolicy()])
        await assert.rejects(vet(`http://${host}:3000/`, [], allowing), (error: Refusal) => {
          messages.add(error.publicFailure);
          return true;
        });
    assert.deepEqual(
      [...messages],
      [
        'could not be reached: this service does not fetch port 3000 of this host; of public hosts it fetches 80, 443',
      ],
    );
  });

  it('of a literal and of localhost need no lookup', async () => {
    assert.deepEqual(await vet('http://1.1.1.1/', []), { names: [], dialed: ['1.1.1.1'] });
    const both = createPolicy(['127.0.0.1', '::1']);
    assert.deepEqual(await vet('http://a.localhost/', [], both), { names: [], dialed: ['127.0.0.1', '::1'] });
  });

  it('of localhost need both 127.0.0.1 and ::1 to be allowed', async () => {
    for (const allowed of [[], ['127.0.0.1'], ['::1']])
      await assert.rejects(vet('http://localhost/', [], createPolicy(allowed)), Refusal);
  });

  it('in an allowed range permit any name that is not refused by its spelling', async () => {
    const policy = createPolicy(['10.0.0.0/8']);
    assert.deepEqual((await vet('http://intranet.example.com:9000/', ['10.0.0.5'], policy)).dialed, [
      '10.0.0.5',
    ]);
    await assert.rejects(vet('http://vault.internal:9000/', ['10.0.0.5'], policy), Refusal);
  });
});
