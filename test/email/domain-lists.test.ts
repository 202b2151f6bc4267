import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'tldts';
import { loadDomainLists } from '#email';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';
import { isDisposableDomain } from '../../src/email/lists/disposable-domain.ts';
import { isRelayDomain, RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import { suggestDomain } from '../../src/email/suggest/suggest-domain.ts';
import {
  buildOverlayLists,
  buildSourceLists,
  listProviderDomains,
  formatList,
} from '../../scripts/domain-lists/build-domain-lists.ts';
import { parseEntries } from '../../scripts/domain-lists/entries.ts';
import { LIST_TITLES } from '../../scripts/domain-lists/list-titles.ts';
import {
  computeHistoriesHash,
  computeListHash,
  listMissingInputs,
  loadListInputs,
  loadOverlay,
} from '../../scripts/domain-lists/load-list-inputs.ts';
import { INPUT_FOLDER } from '../../scripts/domain-lists/load-sources.ts';
import { isFullRun } from '../support/sample.ts';

const DATA = new URL('../../src/email/data/', import.meta.url);
const overlay = loadOverlay();
const lists = loadDomainLists();

function loadData(name: string): string {
  return readFileSync(new URL(name, DATA), 'utf8');
}

function loadSample(name: string): string[] {
  return parseEntries(readFileSync(new URL(`./lists/${name}.txt`, import.meta.url), 'utf8'));
}

const GRADED = ['disposable.txt', 'suspected.txt', 'never-disposable.txt'];

/** The name of an entry, without its evidence. */
function getName(entry: string): string {
  return entry.split(' ', 1)[0] ?? '';
}

function isDisposable(name: string): boolean {
  return isDisposableDomain(name, getDomainFacts(name), lists);
}

describe('the bundled lists', () => {
  const overlayLists = buildOverlayLists(overlay);

  it('match the pinned sources and the overlay: if not, run scripts/update-domain-lists.ts', () => {
    const built = [...GRADED, 'free.txt', ...Object.keys(overlayLists)];
    for (const name of built)
      assert.equal(/^# inputs (\w+)$/m.exec(loadData(name))?.[1], computeListHash(name, overlay), name);
  });

  it('are judged in the docs by the pinned histories: if not, run npm run lists -- replay', () => {
    const doc = readFileSync(new URL('../../docs/internals/email.md', import.meta.url), 'utf8');
    assert.equal(/^Histories (\w+)\.$/m.exec(doc)?.[1], computeHistoriesHash());
  });

  it('are equal to a rebuild from the overlay, byte for byte', () => {
    for (const [name, entries] of Object.entries(overlayLists)) {
      assert.equal(
        loadData(name),
        formatList(LIST_TITLES[name] ?? 'Our own list.', computeListHash(name, overlay), entries),
        name,
      );
    }
  });

  const missing = listMissingInputs(INPUT_FOLDER).length;
  const reason = isFullRun ? `${missing} inputs are not in ${INPUT_FOLDER}` : 'npm test -- full runs it';
  const skip = (missing > 0 || !isFullRun) && reason;
  it('are equal to a rebuild from the histories and sources, byte for byte', { skip }, async () => {
    const rebuilt = buildSourceLists(await loadListInputs(INPUT_FOLDER));
    for (const [name, entries] of Object.entries(rebuilt)) {
      const expected = formatList(LIST_TITLES[name] ?? '', computeListHash(name, overlay), entries);
      assert.ok(loadData(name) === expected, name);
    }
  });

  it('have the evidence of each graded name: codes of a letter and a month, in the order of the names', () => {
    for (const file of GRADED) {
      const entries = parseEntries(loadData(file));
      for (const entry of entries) assert.match(entry, /^[a-z0-9.-]+ (?:[a-zA-Z][0-9a-z]{2})+$/, file);
      const names = entries.map(getName);
      assert.deepEqual(names, [...new Set(names)].toSorted(), file);
    }
  });

  it('call disposable what was seen in use, reviewed or is our own, and suspected what was not', () => {
    const isSeen = (entry: string) => / (?:[a-zA-Z].{2})*[dwmxfon].{2}/.test(entry);
    const unseen = (file: string) => parseEntries(loadData(file)).filter((entry) => !isSeen(entry));
    assert.deepEqual(unseen('disposable.txt'), []);
    assert.equal(unseen('suspected.txt').length, parseEntries(loadData('suspected.txt')).length);
  });

  it('have at most 80,000 disposable names, and none on two graded lists', () => {
    const names = GRADED.map((file) => parseEntries(loadData(file)).map(getName));
    assert.ok((names[0] ?? []).length <= 80_000);
    assert.equal(new Set(names.flat()).size, names.flat().length);
  });

  it('call no name disposable that a list removed as legitimate, unless it was seen again later', () => {
    for (const entry of parseEntries(loadData('disposable.txt'))) {
      const codes = [...entry.slice(entry.indexOf(' ') + 1).matchAll(/([a-zA-Z])([0-9a-z]{2})/g)];
      const removed = codes.filter(([, letter = '']) => letter < 'a').map(([, , month = '']) => month);
      const last = removed.toSorted().at(-1) ?? '';
      const isSeenAgain = codes.some(
        ([, letter = '', month = '']) => /[dwmxf]/.test(letter) && month >= last,
      );
      assert.ok(last === '' || isSeenAgain || codes[0]?.[1] === 'o', entry);
    }
    const freed = [
      'cdc.com',
      'bbox.com',
      'vp.com',
      'purple.dev',
      'hdz.hr',
      'yourlabs.org',
      'spamgourmet.com',
    ];
    for (const name of freed) assert.equal(isDisposable(name), false, name);
  });

  it('contain only lower-case A-labels, no public suffix, and no domain below a listed one', () => {
    for (const name of [...lists.disposable, ...lists.free]) {
      assert.match(name, /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
      assert.notEqual(parse(name, { allowPrivateDomains: true }).domain, null, name);
    }
    for (const name of lists.disposable) {
      for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
        assert.equal(lists.disposable.has(name.slice(dot + 1)), false, name);
      }
    }
  });

  it('list no provider, relay or known typo as disposable', () => {
    const overlap = [...lists.disposable].filter(
      (name) => lists.neverDisposable.has(name) || lists.suggestions.typos.has(name),
    );
    assert.deepEqual(overlap, []);
    const removed = new Set(parseEntries(overlay['free-removed']));
    for (const name of listProviderDomains(overlay.providers))
      assert.ok((lists.free.has(name) || removed.has(name)) && lists.neverDisposable.has(name), name);
  });

  it('list no domain as both disposable and free', () => {
    assert.deepEqual(
      [...lists.free].filter((name) => lists.disposable.has(name)),
      [],
    );
  });

  it('list at least 99 % of a sample of the names that two origins have seen in use', () => {
    const sample = loadSample('seen-by-two-origins');
    const listed = sample.filter(isDisposable).length;
    assert.ok(sample.length >= 2000 && listed >= 0.99 * sample.length, `${listed} of ${sample.length}`);
  });

  it('list no visited site, university, Internet provider, mail provider or relay as disposable', () => {
    const known = loadSample('known-domains');
    assert.ok(known.length >= 2000);
    assert.deepEqual(known.filter(isDisposable), []);
  });

  it('list no misspelling of a provider as disposable, and the services with such a name', () => {
    const typos = ['hotma.com', 'homal.com', 'hotma.co.uk', 'icould.co', 'verision.net', 'sbcobal.net'];
    const lookalikes = [
      'yaaoho.com',
      'aldephia.net',
      'xn--yaho-sqa.com',
      'xn--hotmal-7va.de',
      'yahoo.com.ag',
    ];
    for (const name of [...typos, ...lookalikes]) assert.equal(isDisposable(name), false, name);
    for (const name of ['nomail.fr', 'yoptmail.com', 'lastmail.com', '10minmail.com', 'ugener.com'])
      assert.equal(isDisposable(name), true, name);
  });

  it('list no domain of cock.li and no small provider as disposable', () => {
    const cock = ['cock.li', 'airmail.cc', 'waifu.club', 'national.shitposting.agency', 'redchan.it'];
    const small = ['neomailbox.com', 'mihanmail.ir', 'etang.com', 'fm365.com', 'gta.com', 'online.ms'];
    for (const name of [...cock, ...small]) assert.equal(isDisposable(name), false, name);
  });

  it('list every relay as never disposable, and what only calls itself one as disposable', () => {
    for (const name of RELAY_DOMAINS) assert.ok(lists.neverDisposable.has(name), name);
    for (const name of ['33mail.com', 'ann.33mail.com', 'addymail.com'])
      assert.deepEqual([isRelayDomain(name), isDisposable(name)], [true, false], name);
    assert.deepEqual([isRelayDomain('hideemail.net'), isDisposable('hideemail.net')], [false, true]);
  });

  it('have the roles of other scripts in UTF-8', () => {
    for (const role of ['facturación', '信息', 'поддержка']) assert.ok(lists.roles.has(role), role);
  });

  it('list the disposable services among the visited sites', () => {
    for (const name of ['temp-mail.org', 'temp-mail.io', 'yopmail.com', 'mailinator.com', 'mail.tm'])
      assert.equal(isDisposable(name), true, name);
  });

  it('list no site, company or disposable domain as a free provider, and no real one is missing', () => {
    const wrong = [
      'bt.com',
      'go.com',
      'docs.google.com',
      'facebookmail.com',
      'geocities.com',
      'xitroo.com',
      'telstra.com',
      'dumpmail.com',
    ];
    for (const name of wrong) assert.equal(lists.free.has(name), false, name);
    for (const name of loadSample('free-providers')) assert.ok(lists.free.has(name), name);
  });

  it('list no typo of a large provider as free', () => {
    const listsWithoutFree = { ...lists, free: new Set<string>() };
    const largeProviders = /^(?:gmail|hotmail|yahoo|outlook|icloud)\./;
    const real = new Set(['gmail.ru', ...parseEntries(overlay.neighbors)]);
    const found = [...lists.free].filter(
      (name) => !real.has(name) && largeProviders.test(suggestDomain(name, listsWithoutFree)?.domain ?? ''),
    );
    assert.deepEqual(found, []);
  });

  it('correct each known typo to a provider, and no real neighbor', () => {
    for (const [typed, meant] of lists.suggestions.typos) {
      assert.ok(lists.suggestions.domains.has(meant), meant);
      assert.equal(suggestDomain(typed, lists)?.domain, meant);
    }
    for (const name of lists.suggestions.neighbors) {
      assert.equal(suggestDomain(name, lists), null, name);
      assert.equal(lists.suggestions.typos.has(name), false, name);
    }
  });

  it('load in less than 100 ms of CPU', () => {
    const start = process.threadCpuUsage();
    loadDomainLists();
    assert.ok(process.threadCpuUsage(start).user < 100_000);
  });
});
