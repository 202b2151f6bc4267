/**
 * npm run bench -- email-scores: scores the peers and this module on the same vectors, typos and real
 * domains, and prints tables. `--write` replaces those between the marks in bench/email/results.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadDomainLists, validateEmail } from '../../src/email/index.ts';
import { installPeers } from '../install-peers.ts';
import { loadPeers, type Peer } from './peers.ts';
import { formatSuggestionTables } from './score-suggestions.ts';

const VECTORS = new URL('../../test/vectors/', import.meta.url);
const PAGE = new URL('results.md', import.meta.url);

function loadRows(name: string): string[][] {
  const lines = readFileSync(new URL(name, VECTORS), 'utf8').trim().split('\n');
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
}

const syntax = loadRows('email-syntax.tsv')
  .filter(([, , note = '']) => !note.startsWith('AMBIGUOUS'))
  .map(([text = '', expected]) => ({ email: JSON.parse(text) as string, expected: expected === 'true' }));
const typos = loadRows('email-typos.tsv').slice(1);
const others = loadRows('email-not-typos.tsv').slice(1);

const lists = loadDomainLists();
const lookupMail = () => Promise.reject(new Error('no DNS in this benchmark'));
const validate = (email: string) =>
  validateEmail({ email, checkMx: false, suggest: true, details: false }, { lists, lookupMail });
const ours: Peer = {
  name: '**this module**',
  isWellFormed: async (email) => (await validate(email)).formatValid,
  suggest: async (email) => (await validate(email)).didYouMean,
};

/** Calls a peer; returns `fallback` if it throws. */
async function callPeer<T>(call: () => T | Promise<T>, fallback: T): Promise<T> {
  try {
    return await call();
  } catch {
    return fallback;
  }
}

function percent(count: number, of: number): string {
  return `${((100 * count) / of).toFixed(1)} %`;
}

async function scoreSyntax({ isWellFormed }: Peer): Promise<string[]> {
  if (isWellFormed === undefined) return ['–', '–', '–'];
  let falseAccepts = 0;
  let falseRejects = 0;
  for (const { email, expected } of syntax) {
    const got = await callPeer(() => isWellFormed(email), !expected);
    if (got && !expected) falseAccepts++;
    if (!got && expected) falseRejects++;
  }
  const right = syntax.length - falseAccepts - falseRejects;
  return [percent(right, syntax.length), String(falseAccepts), String(falseRejects)];
}

async function scoreSuggestions({ suggest }: Peer): Promise<string[]> {
  if (suggest === undefined) return ['–', '–', '–'];
  let right = 0;
  let wrong = 0;
  let corrected = 0;
  for (const [typed = '', meant] of typos) {
    const got = await callPeer(() => suggest(typed), null);
    if (got === meant) right++;
    else if (got !== null) wrong++;
  }
  for (const [email = ''] of others) {
    if ((await callPeer(() => suggest(email), null)) !== null) corrected++;
  }
  return [percent(right, typos.length), String(wrong), percent(corrected, others.length)];
}

installPeers();
const rows = [
  `| | syntax (${syntax.length} addresses) | false accepts | false rejects | typos corrected (${typos.length}) | to something else | real domains "corrected" (${others.length}) |`,
  '|---|---|---|---|---|---|---|',
];
const peers = loadPeers();
for (const peer of [ours, ...peers]) {
  if (peer.isWellFormed === undefined && peer.suggest === undefined) continue;
  rows.push(
    `| ${[peer.name, ...(await scoreSyntax(peer)), ...(await scoreSuggestions(peer))].join(' | ')} |`,
  );
}
const table = `${rows.join('\n')}\n\n${await formatSuggestionTables(peers)}`;
console.log(table);
if (process.argv.includes('--write')) {
  const page = readFileSync(PAGE, 'utf8');
  const marked = /(<!-- scores -->\n)[\s\S]*?(<!-- \/scores -->)/;
  writeFileSync(
    PAGE,
    page.replace(marked, (_all, open: string, close: string) => `${open}${table}\n${close}`),
  );
}
// One peer does not clear its timers.
process.exit();
