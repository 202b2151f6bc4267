/** URLs that are refused by their spelling, before any DNS query. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Refusal } from './refusal.ts';
import { type VettedAddress, isLocalhost, parseTarget, vetTarget } from './vet-target.ts';
import { type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { cidr } from './ip-address.ts';

const parse = (url: string) => parseTarget(new URL(url));
const assertRefused = (url: string) => assert.throws(() => parse(url), Refusal, url);

/** Returns the private suffixes that docs/operate/egress.md lists. */
function loadDocumentedSuffixes(): string[] {
  const text = readFileSync(new URL('../../../docs/operate/egress.md', import.meta.url), 'utf8');
  const list = /names that end in `([^`]+)`/.exec(text)?.[1] ?? '';
  return list.split(' ').map((suffix) => suffix.replace(/^\./, ''));
}

describe('the target of a URL', () => {
  it('has the scheme, host and port of an http or https URL', () => {
    assert.deepEqual(parse('https://Example.COM./x'), {
      origin: 'https://example.com.',
      isTls: true,
      host: 'example.com',
      isLiteral: false,
      port: 443,
    });
    assert.deepEqual(parse('http://[2001:db8::1]:8080/'), {
      origin: 'http://[2001:db8::1]:8080',
      isTls: false,
      host: '2001:db8::1',
      isLiteral: true,
      port: 8080,
    });
  });

  it('is refused for every scheme other than http and https', () => {
    for (const url of ['ftp://a.com/', 'file:///etc/passwd', 'ws://a.com/', 'gopher://a.com/', 'data:,x'])
      assertRefused(url);
  });

  it('is refused for credentials, and for a user name alone', () => {
    for (const url of ['http://user:secret@a.com/', 'http://user@a.com/', 'http://:secret@a.com/'])
      assertRefused(url);
  });

  it('is refused for a single label', () => {
    for (const host of ['redis', 'metadata', 'com', 'redis.']) assertRefused(`http://${host}/`);
  });

  it('is refused for every private suffix of docs/operate/egress.md', () => {
    const suffixes = loadDocumentedSuffixes();
    assert.ok(suffixes.length >= 20, 'the list is in the document');
    for (const suffix of suffixes) {
      assertRefused(`http://a.${suffix}/`);
      assertRefused(`http://a.b.${suffix.toUpperCase()}./`);
      assert.equal(parse(`http://${suffix.replace('.', '')}.com/`).port, 80, 'only as a suffix');
    }
  });

  it('may be localhost, which the policy decides on', () => {
    for (const host of ['localhost', 'a.localhost', 'localhost.']) {
      assert.equal(isLocalhost(parse(`http://${host}/`).host), true);
    }
    assert.equal(isLocalhost('notlocalhost'), false);
    assert.equal(isLocalhost('localhost.com'), false);
  });
});

/** The addresses of a target that may be dialed. */
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
