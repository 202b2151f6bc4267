import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadDomainLists } from '#email';
import { parseEntries } from '../../scripts/domain-lists/entries.ts';
import { REAL_DOMAIN_PACKAGES } from '../../scripts/real-domains/real-domain-packages.ts';

const DATA = new URL('../../src/email/data/mail-domains.txt', import.meta.url);
const OVERLAY = new URL('../../scripts/domain-lists/mail-domains.txt', import.meta.url);
const lists = loadDomainLists();
const { mailDomains, neighbors, domains, typos } = lists.suggestions;

describe('the bundled list of mail domains', () => {
  it('contains our own list: if not, run npm run lists -- mail-domains', () => {
    const missing = parseEntries(readFileSync(OVERLAY, 'utf8')).filter((domain) => !mailDomains.has(domain));
    assert.deepEqual(missing, []);
  });

  it('names the packages that it was built from, which are those whose license allows it', () => {
    const header = readFileSync(DATA, 'utf8').split('\n', 2).join('\n');
    for (const { spec, license, isPermissive } of REAL_DOMAIN_PACKAGES) {
      assert.equal(header.includes(`${spec} (${license})`), isPermissive, spec);
    }
  });

  it('contains A-labels in order, each once, and no known typo', () => {
    const listed = parseEntries(readFileSync(DATA, 'utf8'));
    assert.deepEqual(listed, [...new Set(listed)].toSorted());
    for (const domain of listed) {
      assert.match(domain, /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
      assert.equal(typos.has(domain), false, domain);
    }
  });

  it('shares no domain with the disposable providers, nor do the neighbors', () => {
    const listed = [...mailDomains, ...neighbors].filter((domain) => lists.disposable.has(domain));
    assert.deepEqual(listed, []);
  });

  it('shares no domain with the neighbors of providers, which are corrected if they accept no mail', () => {
    assert.deepEqual(
      [...neighbors].filter((domain) => mailDomains.has(domain) || domains.has(domain)),
      [],
    );
  });
});
