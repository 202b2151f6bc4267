import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateEmail } from '../validate-email.ts';
import { addFetchedLists, type DomainLists, loadDomainLists, NO_DOMAINS } from './domain-lists.ts';
import { decodeEvidence, describeFetched, EVIDENCE_SOURCES } from './evidence.ts';

const REVIEWED =
  'https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf';
const WESBOS = 'https://raw.githubusercontent.com/wesbos/burner-email-providers/master/emails.txt';
const MAILCHECKER = 'https://cdn.jsdelivr.net/gh/FGRibreau/mailchecker@master/list.txt';
const AGGREGATE = 'https://disposable.github.io/disposable-email-domains/domains.txt';
const MINE = 'https://lists.acme.example/burners.txt';
const PRIVATE = 'https://raw.githubusercontent.com/acme/blocklist/main/list.txt';

describe('decodeEvidence', () => {
  it('a lower-case letter says disposable, an upper-case one not; the digits are months since 2012', () => {
    const shown = decodeEvidence('acme.com', 'd00w01Wzzi0c').map(({ source, says, date }) => [
      source,
      says,
      date,
    ]);
    const [list, burners] = [EVIDENCE_SOURCES['d']?.source, EVIDENCE_SOURCES['w']?.source];
    assert.deepEqual(shown, [
      [list, 'disposable', null],
      [burners, 'disposable', '2012-02'],
      [burners, 'not_disposable', '2119-12'],
      ['ivolo/disposable-email-domains', 'disposable', '2013-01'],
    ]);
  });

  it('leaves out letters that have no source', () => {
    assert.deepEqual(decodeEvidence('acme.com', ''), []);
    const sources = decodeEvidence('acme.com', 'z01d01').map(({ source }) => source);
    assert.deepEqual(sources, [EVIDENCE_SOURCES['d']?.source]);
  });
});

it('the source of a fetched list is its public repository, else a word: callers learn nothing of the operator', () => {
  for (const [url, source] of [
    [REVIEWED, 'disposable-email-domains/disposable-email-domains'],
    [MAILCHECKER, 'FGRibreau/mailchecker'],
    [AGGREGATE, 'disposable/disposable-email-domains'],
    [
      'https://github.com/wesbos/burner-email-providers/raw/master/emails.txt',
      'wesbos/burner-email-providers',
    ],
    [MINE, 'fetched_list'],
    [PRIVATE, 'fetched_list'],
  ] as const)
    assert.equal(describeFetched(url).source, source);
});

describe('a name of fetched lists', () => {
  const bundled = loadDomainLists();

  /** Grades acme.com, with the codes that the bundled list of suspected domains has of it. */
  function grade(urls: readonly string[], codes = ''): string {
    const known = decodeEvidence('acme.com', codes);
    const lists = addFetchedLists(
      {
        disposable: NO_DOMAINS,
        suspected: { has: () => codes !== '' },
        listEvidence: () => known,
      },
      urls.map((url) => ({ url, names: new Set(['acme.com']) })),
    );
    if (lists.disposable.has('acme.com')) return 'disposable';
    return lists.suspected.has('acme.com') ? 'suspected' : 'unlisted';
  }

  it('is suspected if one list has it, disposable if its reviewers or the operator vouch for the list', () => {
    assert.equal(grade([WESBOS]), 'suspected');
    assert.equal(grade([MINE]), 'suspected');
    assert.equal(grade([REVIEWED]), 'disposable');
    assert.equal(grade([`${MINE}#reviewed`]), 'disposable');
    assert.equal(grade([]), 'unlisted');
  });

  it('is disposable if two lists of different origins have it, and not by two copies of one', () => {
    assert.equal(grade([WESBOS, MAILCHECKER]), 'disposable');
    assert.equal(grade([WESBOS, MINE]), 'disposable');
    assert.equal(grade([MINE, MINE.replace('acme', 'other')]), 'disposable');
    assert.equal(grade([PRIVATE, PRIVATE.replace('acme', 'other')]), 'disposable');
    assert.equal(grade([PRIVATE, `${PRIVATE}?2`]), 'suspected');
    assert.equal(grade([MINE, MINE.replace('burners', 'more')]), 'suspected', 'of one host');
    assert.equal(grade([WESBOS, WESBOS.replace('wesbos', 'Wesbos')]), 'suspected');
  });

  it('of a list that copies the others has no second origin', () => {
    assert.equal(grade([WESBOS, AGGREGATE]), 'suspected');
    assert.equal(grade([AGGREGATE], 'w60'), 'suspected');
    assert.equal(grade([AGGREGATE]), 'suspected');
  });

  it('is disposable with the bundled evidence of another origin, and not with that of its own', () => {
    assert.equal(grade([WESBOS], 'm60'), 'disposable');
    assert.equal(grade([WESBOS], 'w60'), 'suspected');
  });

  it('that was removed from a list or imported in bulk stays suspected until reviewers have seen it', () => {
    for (const codes of ['m60W61', 'i60b60']) {
      assert.equal(grade([WESBOS, MINE], codes), 'suspected', codes);
      assert.equal(grade([REVIEWED], codes), 'disposable', codes);
    }
  });

  it('is never disposable if the bundled list says so and fetched ones name it', async () => {
    const name = 'yeah.net';
    assert.ok(bundled.neverDisposable.has(name));
    const fetched = { url: REVIEWED, names: new Set([name, 'duck.com']) };
    const lists: DomainLists = { ...bundled, ...addFetchedLists(bundled, [fetched]) };
    for (const domain of [name, 'duck.com']) {
      const request = { email: `ann@${domain}`, checkMx: false, suggest: true, details: true };
      const report = await validateEmail(request, { lists, lookupMail: () => assert.fail('queried') });
      assert.equal(report.disposable, false, domain);
      assert.equal(report.details?.reasons.includes('suspected_disposable'), false, domain);
      const { source, says } = report.details?.disposableEvidence.at(-1) ?? assert.fail();
      assert.deepEqual([source, says], [EVIDENCE_SOURCES['d']?.source, 'disposable'], domain);
    }
  });
});
