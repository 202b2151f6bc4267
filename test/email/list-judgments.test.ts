/** The rules by which the build grades the names of public lists, each with the names of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  gradeNames,
  type ListInputs,
  PACKAGE_RELEASE,
} from '../../scripts/domain-lists/build-domain-lists.ts';
import { buildFreeList } from '../../scripts/domain-lists/build-free-list.ts';
import { collectSightings, type Sighting } from '../../scripts/domain-lists/collect-sightings.ts';
import { formatEntry } from '../../scripts/domain-lists/entries.ts';
import { type Grade, type GradeContext, gradeName } from '../../scripts/domain-lists/grade-name.ts';
import { HISTORIES, type HistoryName } from '../../scripts/domain-lists/histories.ts';
import { type Change, collectChanges, type Histories } from '../../scripts/domain-lists/load-history.ts';
import { listMissingInputs, loadOverlay } from '../../scripts/domain-lists/load-list-inputs.ts';
import type { Offer, SourceNames } from '../../scripts/domain-lists/parse-source.ts';
import { recognizeTypos } from '../../scripts/domain-lists/provider-typos.ts';
import { findReplayDay, leaveOneOut, replayDay, type Row } from '../../scripts/domain-lists/replay.ts';
import { SOURCES } from '../../scripts/domain-lists/sources.ts';

const NONE: ReadonlySet<string> = new Set();
const ACME = new Set(['acme.com']);
type Lists = Partial<SourceNames> & Partial<Omit<GradeContext, 'sources'>>;

/** Creates a context in which all lists are empty but these; a list of disposable domains has acme.com. */
function createContext({
  sightings,
  listed = ACME,
  allowed = NONE,
  own = NONE,
  never,
  sites,
  ...rest
}: Lists) {
  const empty: SourceNames = {
    amieiro: NONE,
    offered: [],
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
  const known = { sightings: sightings ?? new Map(), listed, allowed, own, typos };
  return {
    ...known,
    never: never ?? new Map<string, string>(),
    sites: sites ?? NONE,
    sources: { ...empty, ...rest },
  };
}

/** Returns lists that name acme.com. */
function named(...lists: (keyof SourceNames | 'sites' | 'allowed' | 'own')[]): Lists {
  return Object.fromEntries(lists.map((list) => [list, ACME]));
}

/** Parses what was said about a name: `b2019 M2024`. */
function parseSaid(text: string): Sighting[] {
  const words = text.split(' ').filter(Boolean);
  return words.map((word) => ({ letter: word.charAt(0), date: `${word.slice(1)}-05-01` }));
}

function grade(said: string, lists: Lists = {}, name = 'acme.com'): Grade {
  const sightings = new Map([[name, parseSaid(said)]]);
  return gradeName(name, createContext({ sightings, listed: new Set([name]), ...lists })).grade;
}

/** Creates histories with these changes; the others are empty. */
function createHistories(changes: Partial<Record<HistoryName, Partial<Change>[]>>): Histories {
  const filled = Object.keys(HISTORIES).map((name) => {
    const made = changes[name as HistoryName] ?? [];
    return [name, made.map((one) => ({ date: '', message: '', added: [], removed: [], ...one }))];
  });
  return Object.fromEntries(filled) as Histories;
}

/** Collects what the histories say about a name, as `b2019-05`. */
function collect(changes: Parameters<typeof createHistories>[0], name = 'acme.com', until = '9999'): string {
  const { sightings } = collectSightings(createHistories(changes), until);
  return (sightings.get(name) ?? []).map(({ letter, date }) => letter + date.slice(0, 7)).join(' ');
}

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}.com`);

describe('collectChanges', () => {
  const log = (...commits: string[][]) =>
    collectChanges(commits.flatMap(([head = '', ...lines]) => [`\u0001${head}`, '\u0003', ...lines]));

  it('reads lines and arrays of JSON, and no change from what a commit moves or has twice', async () => {
    const changes = await log(
      [
        '2020-01-02 first',
        '+++ b/list.txt',
        '+Acme.com',
        '+acme.com',
        '+  "two.com", "three.com"',
        '+# no.com',
      ],
      ['2020-01-03 sort and dedupe', '-acme.com', '-  "two.com",', '+two.com'],
      ['2020-01-04 remove acme', '--- a/list.txt', '-acme.com'],
    );
    assert.deepEqual(changes, [
      { date: '2020-01-02', message: 'first', added: ['acme.com', 'two.com', 'three.com'], removed: [] },
      { date: '2020-01-04', message: 'remove acme', added: [], removed: ['acme.com'] },
    ]);
  });
});

describe('collectSightings', () => {
  const add = { date: '2020-05-01', added: ['acme.com'] };

  it('counts the additions of a few names, and those of a service, as seen; the others as imports', () => {
    const bulk = { date: '2020-05-01', added: ['acme.com', ...many(25)] };
    assert.equal(collect({ wesbos: [add] }), 'w2020-05');
    assert.equal(collect({ wesbos: [bulk] }), 'b2020-05');
    assert.equal(collect({ wesbos: [{ ...bulk, message: 'Add domains of temp-mail.org' }] }), 'w2020-05');
    assert.equal(collect({ mailchecker: [{ ...bulk, message: 'import stopforumspam' }] }), 'b2020-05');
    assert.equal(collect({ reviewed: [bulk] }), 'd2020-05');
    const copied = { ...bulk, message: 'add data from a list' };
    assert.equal(collect({ reviewed: [copied] }), 'b2020-05');
  });

  it('counts what the aggregate has before all lists as offered, unless it is a copy or an import', () => {
    assert.equal(collect({ aggregate: [add] }), 'x2020-05');
    assert.equal(collect({ aggregate: [add], wesbos: [{ ...add, date: '2020-05-05' }] }), 'w2020-05');
    const passing = [
      { ...add, date: '2020-04-30' },
      { date: '2020-05-02', removed: ['acme.com'] },
    ];
    assert.equal(collect({ aggregate: [add], wesbos: passing }), 'w2020-04 W2020-05');
    assert.equal(collect({ aggregate: [{ ...add, added: ['acme.com', ...many(1000)] }] }), 'b2020-05');
    const back = [add, { date: '2021-05-01', removed: ['acme.com'] }];
    const repaired = { date: '2022-05-01', added: ['acme.com', ...many(200)] };
    assert.equal(collect({ aggregate: [...back, repaired] }), 'x2020-05');
    assert.equal(collect({ aggregate: [...back, { ...add, date: '2022-05-01' }] }), 'x2020-05 x2022-05');
  });

  it('counts a removal of a few names, and an allow list, against a name; no upkeep', () => {
    const remove = { date: '2021-05-01', removed: ['acme.com'] };
    assert.equal(collect({ mailchecker: [add, remove] }), 'm2020-05 M2021-05');
    assert.equal(collect({ mailchecker: [add, { ...remove, message: 'remove dead domains' }] }), 'm2020-05');
    const bulk = { ...remove, removed: ['acme.com', ...many(25)] };
    assert.equal(collect({ mailchecker: [{ ...add, added: bulk.removed }, bulk] }), 'b2020-05');
    assert.equal(collect({ aggregate: [add, remove] }), 'x2020-05');
    assert.equal(collect({ aggregateAllowed: [add] }), 'X2020-05');
    assert.equal(collect({ aggregateAllowed: [add, remove] }), '', 'no longer allowed');
    const parent = { date: '2020-05-01', added: ['acme.com', 'a.acme.com'] };
    const covered = { ...remove, removed: ['a.acme.com'] };
    assert.equal(collect({ wesbos: [parent, covered] }, 'a.acme.com'), 'w2020-05', 'the parent is listed');
  });

  it('reads nothing of the day on which the histories are cut, and of later days', () => {
    const changes = { wesbos: [add, { date: '2021-05-01', removed: ['acme.com'] }] };
    assert.equal(collect(changes, 'acme.com', '2021-05-01'), 'w2020-05');
    assert.equal(collect(changes, 'acme.com', '2020-05-01'), '');
  });
});

describe('gradeName', () => {
  it('calls disposable what was seen in use or reviewed, suspected what one unproven source has', () => {
    for (const said of ['d2020', 'w2020', 'm2020', 'x2020', 'f2020', 'b2019 i2019 d2020'])
      assert.equal(grade(said), 'disposable', said);
    for (const said of ['b2020', 'i2020', 'i2019 b2020']) assert.equal(grade(said), 'suspected', said);
    assert.equal(grade('b2020', { listed: NONE }), 'none', 'its list has dropped it');
    assert.equal(grade('b2020', {}, 'trash-mail.com'), 'disposable', 'its name says so');
  });

  it('calls a removed name disposable only if it was seen again later, and never what is allowed', () => {
    assert.equal(grade('d2015 w2016 i2017 b2018 M2019'), 'never');
    assert.equal(grade('M2019 i2020 b2021'), 'never');
    assert.equal(grade('M2019 i2020 b2021', {}, 'trash-mail.com'), 'never');
    for (const said of ['b2018 M2019 d2020', 'M2019 x2020', 'D2019 f2020'])
      assert.equal(grade(said), 'disposable', said);
    assert.equal(grade('M2019 x2020', { listed: NONE }), 'never', 'no list has it today');
    assert.equal(grade('D2019 d2020', named('allowed')), 'never');
    const parent = new Map([
      ['acme.com', parseSaid('w2018 W2019')],
      ['a.acme.com', parseSaid('i2020')],
    ]);
    assert.equal(gradeName('a.acme.com', createContext({ sightings: parent })).grade, 'never');
  });

  it('lists our own names whatever the rankings and removals say, and never a provider of our own', () => {
    assert.equal(grade('M2019', { ...named('top', 'own') }), 'disposable');
    assert.equal(grade('d2020', { never: new Map([['acme.com', 'V']]) }, 'mail.acme.com'), 'never');
  });

  it('drops what is no domain, and public suffixes, and no name for the removal of a public suffix', () => {
    for (const name of ['co.uk', 'acme.nosuchtld', 'acme', 'a cme.com'])
      assert.equal(grade('d2020', {}, name), 'none', name);
    const sightings = new Map([
      ['pp.ua', parseSaid('d2018 D2019')],
      ['acme.pp.ua', parseSaid('w2018')],
    ]);
    assert.equal(gradeName('acme.pp.ua', createContext({ sightings })).grade, 'disposable');
  });

  it('calls no typo of a large provider disposable', () => {
    const typos = [
      'gnail.com',
      'gmial.com',
      'gmaill.com',
      'gmai.com',
      '1gmail.com',
      'gmail.pl',
      'iclooud.com',
    ];
    const lookalikes = ['xn--gmil-6na.com', 'icloud.com.ag', 'icloud.co.ag'];
    for (const name of [...typos, ...lookalikes]) assert.equal(grade('d2020', {}, name), 'never', name);
    for (const name of ['tiny.net', 'icloud.work', 'mail.icloud.hu', 'icloud.com.x.ag'])
      assert.equal(grade('d2020', {}, name), 'disposable', name);
    assert.equal(grade('w2020', {}, 'lastmail.com'), 'never', 'corrected if it accepts no mail');
    for (const name of ['lastmail.com', 'falsemail.com'])
      assert.equal(grade('d2020', {}, name), 'disposable');
  });

  it('drops providers, institutions, and companies with their subdomains, but not those of a host', () => {
    assert.equal(grade('d2020', named('providers')), 'never');
    const isp = { branches: new Map([['acme.com', 'ISP']]) };
    assert.deepEqual([grade('d2020', isp), grade('d2020', isp, 'mail.acme.com')], ['never', 'never']);
    const host = { branches: new Map([['acme.com', 'Web Host']]) };
    assert.deepEqual([grade('d2020', host), grade('d2020', host, 'mail.acme.com')], ['never', 'disposable']);
    assert.equal(grade('d2020', named('schools')), 'never');
    for (const name of ['acme.edu', 'acme.gov.br', 'acme.ac.uk'])
      assert.equal(grade('d2020', {}, name), 'never');
  });

  it('drops the 10,000 sites always; other sites and free providers with fewer than three origins', () => {
    assert.equal(grade('d2020 w2020 m2020', named('top')), 'never');
    for (const list of ['sites', 'freemail', 'personal'] as const) {
      assert.equal(grade('d2020 b2020 x2020', named(list)), 'never', list);
      assert.equal(grade('d2020 m2020 x2020', named(list)), 'disposable', list);
      assert.equal(grade('f2020', named(list)), 'disposable', list);
    }
  });
});

describe('an entry', () => {
  it('has a code for each source and month, by date', () => {
    const said = ['x2026-08-01', 'o', 'b2012-01-31', 'D2016-12-05', 'x2026-08-09'];
    const sightings = said.map((one) => ({ letter: one.charAt(0), date: one.slice(1) }));
    assert.equal(formatEntry('acme.com', sightings), 'acme.com o00b00D1nx4v');
    assert.equal(formatEntry('acme.com', [{ letter: 'b', date: '2010-05-01' }]), 'acme.com b00');
  });

  it('has the first mention of each source, the last removal, and the first mention after it', () => {
    const said = 'w2015 M2016 b2017 w2018 W2019 w2020 w2021';
    const { sightings } = gradeName(
      'acme.com',
      createContext({ sightings: new Map([['acme.com', parseSaid(said)]]) }),
    );
    assert.deepEqual(sightings, parseSaid('w2015 M2016 b2017 W2019 w2020'));
  });
});

describe('the replay', () => {
  const history = (date: string, name: string, message = '') => ({ date, added: [name], message });
  const inputs: ListInputs = {
    disposablePackage: [],
    sources: createContext({}).sources,
    overlay: { ...loadOverlay(), 'disposable-extra': '' },
    histories: createHistories({
      wesbos: [history('2020-05-01', 'one.com'), history('2020-05-02', 'two.com')],
      mailchecker: [
        history('2019-05-01', 'two.com', 'import a list'),
        { date: '2024-06-01', removed: ['two.com'] },
        history('2024-06-02', 'one.com'),
        history('2024-06-03', 'new.com'),
        history('2025-05-01', 'last.com'),
      ],
    }),
  };
  const full = gradeNames(inputs);
  const find = (rows: Row[], truth: string) => rows.find((row) => row.truth === truth);

  it('judges the build of a year before by the additions and removals since then', () => {
    const day = findReplayDay(inputs);
    assert.equal(day, '2024-05-01');
    const rows = replayDay(inputs, full, day);
    const removed = { truth: 'removed as legitimate', names: 1, known: 1, disposable: 1, suspected: 0 };
    assert.deepEqual(find(rows, removed.truth), removed);
    const added = { truth: 'added by FGRibreau/mailchecker in a year', names: 3 };
    assert.deepEqual(find(rows, added.truth), { ...added, known: 1, disposable: 1, suspected: 0 });
  });

  it('counts no name as removed since a day that a list removed before, too', () => {
    const { wesbos } = inputs.histories;
    const gone = { date: '2021-05-01', message: '', added: [], removed: ['two.com'] };
    const changed = { ...inputs, histories: { ...inputs.histories, wesbos: [...wesbos, gone] } };
    const rows = replayDay(changed, gradeNames(changed), '2024-05-01');
    assert.equal(find(rows, 'removed as legitimate')?.names, 0);
  });

  it('reads no offer and no release of the day on which the build is cut, and of later days', () => {
    const offered: Offer[] = [{ name: 'offered.com', days: ['2024-05-01', '2024-06-01'] }];
    const later = { ...inputs, sources: { ...inputs.sources, offered }, disposablePackage: ['listed.com'] };
    const list = (until?: string) =>
      [...gradeNames(later, until).disposable].filter((name) => name.length > 8);
    assert.deepEqual(list('2024-05-01'), []);
    assert.deepEqual(list('2024-05-02'), ['offered.com']);
    assert.deepEqual(list(PACKAGE_RELEASE.day), ['offered.com']);
    assert.deepEqual(list().toSorted(), ['listed.com', 'offered.com']);
  });

  it('dates the package by its pinned release', () => {
    const tooling = readFileSync(new URL('../../tooling/package.json', import.meta.url), 'utf8');
    const { devDependencies, dependencies } = JSON.parse(tooling) as Record<string, Record<string, string>>;
    const pinned = { ...dependencies, ...devDependencies };
    assert.equal(pinned['disposable-email-domains-js'], PACKAGE_RELEASE.version);
  });

  it('judges the build without a list by that list, and by what another origin has seen, too', () => {
    const rows = leaveOneOut(inputs, full, '2024-05-01');
    const removed = { truth: 'removed by FGRibreau/mailchecker', names: 1, known: 1 };
    assert.deepEqual(find(rows, removed.truth), { ...removed, disposable: 1, suspected: 0 });
    const shared = { truth: 'seen by FGRibreau/mailchecker and another origin', names: 1, known: 1 };
    assert.deepEqual(find(rows, shared.truth), { ...shared, disposable: 1, suspected: 0 });
  });

  it('says why it is skipped where the histories cannot be had', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'list-inputs-'));
    const noGit = {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${folder}/.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://github.com/',
    };
    try {
      const script = fileURLToPath(new URL('../../scripts/replay-domain-lists.ts', import.meta.url));
      const run = spawnSync(process.execPath, [script, '--inputs', folder], {
        env: { ...process.env, ...noGit },
        encoding: 'utf8',
      });
      assert.equal(run.status, 0);
      assert.match(run.stdout, /^Skipped: the histories cannot be had\. Error: Command failed: git/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('buildFreeList', () => {
  const free = (lists: Lists & { named?: Set<string> }, name = 'acme.com', own: string[] = []): boolean => {
    const { named: names, ...rest } = lists;
    const { sources } = createContext({ free: new Set([name]), ...rest });
    const context = { own: new Set(own), removed: new Set(['bt.com']), listed: new Set(['bad.com']) };
    return buildFreeList(sources, { ...context, isNamed: (one) => names?.has(one) ?? false }).includes(name);
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
    assert.equal(free({ ...named('freemail'), named: new Set(['acme.com']) }), false);
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
      await writeFile(join(folder, SOURCES.amieiro.file), 'changed.com\n');
      const inputs = Object.keys(SOURCES).length + Object.keys(HISTORIES).length;
      assert.equal(listMissingInputs(folder).length, inputs);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
