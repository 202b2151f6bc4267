/** Compares getMetadata and the peers field by field with parse5 on real pages, served from loopback. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeWithParse5 } from '../../../test/metadata/parse5-oracle.ts';
import { openOwn } from '../own.ts';
import { loadPeers, type Peer, PEER_FIELDS, type PeerAnswer, type PeerField } from '../peers.ts';
import { flattenMetadata } from './compare-early-stop.ts';
import type { RealPage } from './list-pages.ts';

/** The peers that are compared. */
const NAMES: ReadonlySet<string> = new Set(['metascraper', 'open-graph-scraper', 'unfurl.js']);
const DEADLINE_MS = 8_000;
const PATH = '/dir/page';
const HEADERS = { 'content-type': 'text/html' };

interface Score {
  name: string;
  right: Map<PeerField, number>;
  /** The fields that it has on some page. */
  fields: Set<string>;
  failures: number;
}

/** Returns the rows of a table: the fields, and how many pages each candidate has right. */
export async function compareFields(
  pages: Iterable<RealPage>,
): Promise<{ heads: string[]; rows: string[][] }> {
  let body: Uint8Array = new Uint8Array();
  const server = createServer((_request, response) => void response.writeHead(200, HEADERS).end(body));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const own = openOwn(6);
  const candidates: Peer[] = [
    { name: 'getMetadata', describe: async (target) => flattenMetadata(await own.describe(target)) },
    ...loadPeers().filter(({ name }) => NAMES.has(name)),
  ];
  const scores = candidates.map(({ name }): Score => ({
    name,
    right: new Map(),
    fields: new Set(),
    failures: 0,
  }));
  let count = 0;
  for (const page of pages) {
    body = page.bytes;
    count++;
    const head = { finalUrl: url, status: 200, headers: new Map(Object.entries(HEADERS)), redirects: [] };
    const answers: (PeerAnswer | null)[] = [];
    for (const { describe } of candidates) answers.push(await describeInTime(describe, url));
    const guess = answers[0]?.charset ?? 'windows-1252';
    const wanted = flattenMetadata(describeWithParse5(page.bytes, head, guess));
    for (const [at, answer] of answers.entries()) addAnswer(scores[at]!, answer, wanted);
  }
  own.close();
  server.closeAllConnections();
  server.close();
  return { heads: [`correct of ${count}`, ...scores.map(({ name }) => name)], rows: listRows(scores) };
}

function addAnswer(score: Score, answer: PeerAnswer | null, wanted: Record<string, string | null>): void {
  if (answer === null) {
    score.failures++;
    return;
  }
  for (const field of PEER_FIELDS) {
    if (!(field in answer)) continue;
    score.fields.add(field);
    if (isRight(answer, field, wanted)) score.right.set(field, (score.right.get(field) ?? 0) + 1);
  }
}

/** A peer that takes the title or the description from another tag that declares one is right too. */
function isRight(answer: PeerAnswer, field: PeerField, wanted: Record<string, string | null>): boolean {
  const value = answer[field] === '' ? null : (answer[field] ?? null);
  if (value === wanted[field]) return true;
  const isLenient = field === 'title' || field === 'description';
  return isLenient && value !== null && [wanted[`og.${field}`], wanted[`twitter.${field}`]].includes(value);
}

function listRows(scores: readonly Score[]): string[][] {
  const rows: string[][] = PEER_FIELDS.map((field) => [
    field,
    ...scores.map(({ fields, right }) => (fields.has(field) ? String(right.get(field) ?? 0) : '–')),
  ]);
  rows.push(['pages without a result', ...scores.map(({ failures }) => String(failures))]);
  return rows;
}

/** Returns what a candidate finds, or null if it fails or exceeds the deadline. */
async function describeInTime(describe: Peer['describe'], url: string): Promise<PeerAnswer | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, DEADLINE_MS, null).unref());
  return Promise.race([describe(url).catch(() => null), late]);
}
