/** The rules by which the build judges the names of public lists, each with the names of its own. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildFreeList } from '../../scripts/domain-lists/build-free-list.ts';
import {
  countVotes,
  type Evidence,
  judgeName,
  type Judgment,
} from '../../scripts/domain-lists/judge-name.ts';
import { listMissingSources } from '../../scripts/domain-lists/load-sources.ts';
import type { SourceNames } from '../../scripts/domain-lists/parse-source.ts';
import { recognizeTypos } from '../../scripts/domain-lists/provider-typos.ts';
import { SOURCES } from '../../scripts/domain-lists/sources.ts';

const NONE: ReadonlySet<string> = new Set();
type Lists = Partial<SourceNames> & Partial<Pick<Evidence, 'reviewed' | 'own' | 'never'>>;

/** Creates evidence in which all lists are empty but these. */
function createEvidence({ reviewed = NONE, own = NONE, never = NONE, ...sources }: Lists): Evidence {
  const empty: SourceNames = {
    wesbos: NONE,
    mailchecker: NONE,
    ivolo: NONE,
    disposable: NONE,
    amieiro: NONE,
    aged: { wesbos: NONE, mailchecker: NONE, ivolo: NONE, disposable: NONE },
    offered: NONE,
    ranked: NONE,
    top: NONE,
    schools: NONE,
    providers: NONE,
    branches: new Map(),
    free: NONE,
    freemail: NONE,
    emailProviders: NONE,
    personal: NONE,
  };
  const typos = recognizeTypos(['4200 gmail com', '60 icloud com', '9 tiny com']);
  return { sources: { ...empty, ...sources }, reviewed, own, never, typos };
}

/** Returns evidence in which lists name acme.com. */
function named(...lists: (keyof SourceNames | 'reviewed')[]): Lists {
  return Object.fromEntries(lists.map((list) => [list, new Set(['acme.com'])]));
}

function judge(lists: Lists, name = 'acme.com'): Judgment {
  return judgeName(name, createEvidence(lists));
}

const AGED = {
  wesbos: NONE,
  mailchecker: NONE,
  ivolo: new Set(['acme.com']),
  disposable: NONE,
};

describe('countVotes', () => {
  const count = (...lists: (keyof SourceNames | 'reviewed')[]) =>
    countVotes('acme.com', createEvidence(named(...lists)));

  it('counts no copy: neither amieiro nor what disposable/disposable imports', () => {
    assert.equal(count('amieiro'), 0);
    assert.equal(count('disposable', 'wesbos'), 1);
    assert.equal(count('disposable', 'mailchecker', 'amieiro'), 1);
    assert.equal(count('disposable'), 1);
    assert.equal(count('disposable', 'ivolo'), 2);
    assert.equal(count('reviewed', 'wesbos', 'mailchecker', 'ivolo', 'disposable', 'amieiro'), 4);
  });
});

describe('judgeName', () => {
  it('lists a name with two votes, and one with a vote if something corroborates it', () => {
    assert.equal(judge(named('wesbos', 'ivolo')), 'voted');
    assert.equal(judge(named('ivolo', 'amieiro')), 'uncorroborated');
    assert.equal(judge({ ...named('ivolo', 'amieiro'), aged: AGED }), 'corroborated');
    assert.equal(judge({ ...named('ivolo'), aged: AGED }), 'uncorroborated', 'removed by amieiro');
    assert.equal(judge(named('wesbos', 'offered')), 'corroborated');
    assert.equal(judge(named('reviewed')), 'corroborated');
    assert.equal(judge({}, 'trash-mail.com'), 'corroborated');
    assert.equal(judge(named('amieiro')), 'uncorroborated');
  });

  it('lists our own names whatever the rankings say, and never a provider of our own', () => {
    assert.equal(judge({ ...named('top', 'ranked'), own: new Set(['acme.com']) }), 'own');
    const never = new Set(['acme.com']);
    assert.equal(judge({ ...named('wesbos', 'ivolo'), never }, 'mail.acme.com'), 'provider');
  });

  it('drops what is no domain, public suffixes and typos of large providers', () => {
    const typos = [
      'gnail.com',
      'gmial.com',
      'gmaill.com',
      'gmai.com',
      '1gmail.com',
      'gmail.pl',
      'iclooud.com',
    ];
    for (const name of typos) assert.equal(judge({}, name), 'typo', name);
    for (const name of ['tempmail.com', 'tiny.net', 'icloud.work', 'mail.icloud.hu'])
      assert.notEqual(judge({}, name), 'typo', name);
    for (const name of ['co.uk', 'acme.nosuchtld', 'acme', 'a cme.com'])
      assert.equal(judge({}, name), 'suffix', name);
  });

  it('drops lookalikes of providers, and their other second-level suffixes', () => {
    for (const name of ['xn--gmil-6na.com', 'icloud.com.ag', 'icloud.co.ag'])
      assert.equal(judge({}, name), 'typo', name);
    assert.equal(judge(named('wesbos', 'ivolo'), 'icloud.com.x.ag'), 'uncorroborated');
  });

  it('drops what is corrected if it accepts no mail, but not reviewed or telling names', () => {
    const lists = { wesbos: new Set(['lastmail.com']), ivolo: new Set(['lastmail.com']) };
    assert.equal(judge(lists, 'lastmail.com'), 'typo');
    assert.equal(judge({ ...lists, reviewed: new Set(['lastmail.com']) }, 'lastmail.com'), 'voted');
    assert.equal(judge({ ...lists, own: new Set(['lastmail.com']) }, 'lastmail.com'), 'own');
    assert.equal(judge({}, 'falsemail.com'), 'corroborated');
  });

  it('drops providers, institutions, and companies with their subdomains, but not those of a host', () => {
    const votes = named('wesbos', 'ivolo');
    assert.equal(judge({ ...votes, ...named('providers') }), 'provider');
    const isp = { ...votes, branches: new Map([['acme.com', 'ISP']]) };
    assert.deepEqual([judge(isp), judge(isp, 'mail.acme.com')], ['provider', 'provider']);
    const host = { ...votes, branches: new Map([['acme.com', 'Web Host']]) };
    assert.deepEqual([judge(host), judge(host, 'mail.acme.com')], ['provider', 'uncorroborated']);
    assert.equal(judge({ ...votes, ...named('schools') }), 'institution');
    for (const name of ['acme.edu', 'acme.gov.br', 'acme.ac.uk'])
      assert.equal(judge({ ivolo: new Set([name]), wesbos: new Set([name]) }, name), 'institution', name);
  });

  it('drops the 10,000 sites always, the million with fewer than four votes', () => {
    const four = named('reviewed', 'wesbos', 'mailchecker', 'ivolo');
    assert.equal(judge({ ...four, ...named('top', 'ranked') }), 'top_site');
    assert.equal(judge({ ...four, ...named('ranked') }), 'voted');
    assert.equal(judge(named('reviewed', 'wesbos', 'mailchecker', 'ranked')), 'site');
    assert.equal(judge(named('wesbos', 'offered', 'ranked')), 'corroborated');
  });

  it('drops a free provider with fewer than three votes', () => {
    assert.equal(judge(named('wesbos', 'ivolo', 'freemail')), 'free_provider');
    assert.equal(judge(named('wesbos', 'ivolo', 'mailchecker', 'freemail')), 'voted');
  });
});

describe('buildFreeList', () => {
  const free = (lists: Lists, name = 'acme.com', own: string[] = []): boolean => {
    const { sources } = createEvidence({ free: new Set([name]), ...lists });
    const context = { own: new Set(own), removed: new Set(['bt.com']), listed: new Set(['bad.com']) };
    return buildFreeList(sources, context).includes(name);
  };

  it('has the names that a directory or a second list confirms', () => {
    assert.equal(free({}), false);
    for (const list of ['freemail', 'personal', 'emailProviders', 'providers'] as const)
      assert.equal(free(named(list)), true, list);
    assert.equal(free({ branches: new Map([['acme.com', 'ISP']]) }), true);
    assert.equal(free(named('emailProviders', 'amieiro')), false);
    assert.equal(free({}, 'posteo.at', ['posteo.de']), true, 'of a family');
  });

  it('has no disposable domain, company or visited site, and nothing that is removed', () => {
    assert.equal(free(named('freemail', 'wesbos')), false);
    assert.equal(free({ ...named('freemail'), branches: new Map([['acme.com', 'Finance']]) }), false);
    assert.equal(free(named('freemail', 'top')), false);
    assert.equal(free({ freemail: new Set(['mail.bad.com']) }, 'mail.bad.com'), false);
    assert.equal(free({ freemail: new Set(['bt.com']) }, 'bt.com', ['bt.com']), false);
    assert.equal(free({ providers: new Set(['bt.com']) }, 'docs.bt.com'), false);
  });

  it('has no telling name, and no two names without a line break between them', () => {
    for (const name of ['dumpmail.com', 'falseaddress.com', 'recyclermail.com'])
      assert.equal(free({ freemail: new Set([name]) }, name), false, name);
    const glued = 'acme.comsmithmail.net';
    assert.equal(free({ freemail: new Set([glued]) }, glued), false);
    const real = 'acme.smithmail.net';
    assert.equal(free({ freemail: new Set([real]) }, real), true);
  });
});

describe('the folder of inputs', () => {
  it('has nothing to use if a file is not as pinned', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'list-inputs-'));
    try {
      await writeFile(join(folder, SOURCES.wesbos.file), 'changed.com\n');
      assert.equal(listMissingSources(folder).length, Object.keys(SOURCES).length);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
