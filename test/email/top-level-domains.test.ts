/** The bundled list of top-level domains, and the script that refreshes it. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  formatTopLevelDomains,
  loadTopLevelDomains,
  parseTopLevelDomains,
} from '../../scripts/top-level-domains.ts';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';

const FILE = new URL('../../src/email/domain/top-level-domains.txt', import.meta.url);
const bundled = await readFile(FILE, 'utf8');
const iana = bundled.toUpperCase().replace(/^# VERSION (\d+).*/, '# Version $1, Last Updated Wed Sep 30');

describe('the bundled top-level domains', () => {
  it('are in the format of the script', () => {
    assert.equal(formatTopLevelDomains(parseTopLevelDomains(bundled)), bundled);
  });

  it('make the domains known below which the public suffix list has rules for others only', () => {
    for (const domain of ['name.za', 'acme.name.za', 'acme.helsinki'])
      assert.equal(getDomainFacts(domain).hasKnownTld, true, domain);
    assert.equal(getDomainFacts('acme.name.za').registrable, 'name.za');
    assert.equal(getDomainFacts('acme.co.za').registrable, 'acme.co.za');
    assert.equal(getDomainFacts('acme.nosuchtld').hasKnownTld, false);
  });
});

describe('the refresh of the top-level domains', () => {
  it('loads the list from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tlds-'));
    try {
      await writeFile(join(folder, 'list.txt'), iana);
      assert.equal(formatTopLevelDomains(await loadTopLevelDomains(join(folder, 'list.txt'))), bundled);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('loads the list from a URL, and fails if the server does', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/list' ? 200 : 503;
      response.end(iana);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      assert.equal(formatTopLevelDomains(await loadTopLevelDomains(`${url}/list`)), bundled);
      await assert.rejects(loadTopLevelDomains(`${url}/gone`), /responded 503/);
    } finally {
      server.close();
    }
  });

  for (const [says, text, fault] of [
    ['another page', '<!doctype html>', /not the list/],
    ['a part of the list', iana.slice(0, 5000), /cut off|not a top-level domain/],
    ['a list without com', iana.replace('\nCOM\n', '\n'), /lacks com/],
    ['a name that is none', `${iana}CO.UK\n`, /"co\.uk" is not a top-level domain/],
  ] as const)
    it(`refuses ${says}`, () => {
      assert.throws(() => parseTopLevelDomains(text), fault);
    });
});
