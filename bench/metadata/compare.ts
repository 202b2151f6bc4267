/**
 * npm run docs -- metadata: writes the tables of bench/metadata/results.md. Serves the pages of
 * test/metadata/pages, samples of every encoding and the probes from loopback to getMetadata and the peers of
 * bench/package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHARSET_SAMPLES } from '../../test/metadata/charset-samples.ts';
import { encode } from '../../test/metadata/encode.ts';
import { listPages } from '../../test/metadata/page-files.ts';
import type { PageMetadata } from '../../src/metadata/index.ts';
import { openOwn } from './own.ts';
import { installPeers } from '../install-peers.ts';
import { loadPeers, type Peer, PEER_FIELDS, type PeerAnswer } from './peers.ts';
import { PROBES } from './probes.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const DOCUMENT = new URL('results.md', import.meta.url);
const DEADLINE_MS = 8_000;

// A peer may throw after it has returned.
process.on('uncaughtException', () => {});
installPeers();
let serve: Serve = (_request, response) => void response.end();
const server = createServer((request, response) => serve(request, response));
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const own = openOwn(6);
const describers: Peer[] = [
  { name: 'getMetadata', describe: async (url) => flatten(await own.describe(url)) },
  ...loadPeers(),
];

function flatten({ og, twitter, ...fields }: PageMetadata): PeerAnswer {
  const flat: Record<string, string | null> = {};
  for (const name of ['title', 'description', 'favicon', 'charset', 'language'] as const)
    flat[name] = fields[name];
  for (const [name, value] of Object.entries(og))
    flat[`og.${name === 'siteName' ? 'site_name' : name}`] = value as string | null;
  for (const [name, value] of Object.entries(twitter)) flat[`twitter.${name}`] = value as string | null;
  return flat;
}

/** Returns what a describer finds at `path`, or null if it fails or exceeds the deadline. */
async function describePath({ describe }: Peer, path: string): Promise<PeerAnswer | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, DEADLINE_MS, null).unref());
  return Promise.race([describe(`${origin}${path}`).catch(() => null), late]);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}

/**
 * Counts correct values by field over the realistic pages.
 * A URL must be absolute and have the same target.
 */
async function comparePages(): Promise<string> {
  const pages = listPages();
  const right = new Map(describers.map(({ name }) => [name, new Map<string, number>()]));
  const has = new Map(describers.map(({ name }) => [name, new Set<string>()]));
  const failures = new Map<string, number>();
  for (const { bytes, head, expected } of pages) {
    serve = (_request, response) =>
      void response.writeHead(head.status, Object.fromEntries(head.headers)).end(bytes);
    const target = new URL(head.finalUrl);
    const wanted = flatten(expected);
    for (const describer of describers) {
      const answer = await describePath(describer, target.pathname + target.search);
      if (answer === null) failures.set(describer.name, (failures.get(describer.name) ?? 0) + 1);
      for (const field of PEER_FIELDS) {
        if (answer !== null && field in answer) has.get(describer.name)!.add(field);
        const value = answer?.[field]?.replaceAll(origin, target.origin) ?? null;
        const isRight = answer !== null && isSame(value, wanted[field] ?? null, target);
        const counts = right.get(describer.name)!;
        counts.set(field, (counts.get(field) ?? 0) + (isRight ? 1 : 0));
      }
    }
  }
  const rows: (string | number)[][] = PEER_FIELDS.map((field) => [
    field,
    ...describers.map(({ name }) => (has.get(name)!.has(field) ? right.get(name)!.get(field)! : '–')),
  ]);
  rows.push(['pages without a result', ...describers.map(({ name }) => failures.get(name) ?? 0)]);
  return table([`correct of ${pages.length}`, ...describers.map(({ name }) => name)], rows);
}

/** The target is served over http, so a protocol-relative URL of an https page becomes http. */
function isSame(value: string | null, wanted: string | null, target: URL): boolean {
  if (wanted?.startsWith('https://') === true && target.protocol === 'https:') {
    return value === wanted || value === wanted.replace('https://', 'http://');
  }
  return value === wanted || (wanted === null && value === '');
}

const PLACES: Record<string, (charset: string) => { header: string; meta: string }> = {
  'declared by the header': (charset) => ({ header: `; charset=${charset}`, meta: '' }),
  'declared by a meta': (charset) => ({ header: '', meta: `<meta charset="${charset}">` }),
  'declared by a meta with http-equiv': (charset) => ({
    header: '',
    meta: `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`,
  }),
  'declared by a meta after 2 KB': (charset) => ({
    header: '',
    meta: `<!-- ${'x'.repeat(2_000)} --><meta charset="${charset}">`,
  }),
  'not declared': () => ({ header: '', meta: '' }),
};

async function compareCharsets(): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [place, make] of Object.entries(PLACES)) {
    const samples = CHARSET_SAMPLES.filter(
      ({ charset }) => !charset.startsWith('utf-16') || place === 'declared by the header',
    );
    const counts = describers.map(() => 0);
    for (const { charset, title, body, lang } of samples) {
      const { header, meta } = make(charset);
      const html = `<!DOCTYPE html><html lang="${lang}"><head>${meta}<title>${title}</title></head><body><p>${body}</p></body></html>`;
      const bytes = encode(html, charset);
      serve = (_request, response) =>
        void response.writeHead(200, { 'content-type': `text/html${header}` }).end(bytes);
      for (const [at, describer] of describers.entries()) {
        if ((await describePath(describer, `/${charset}`))?.title === title) counts[at]!++;
      }
    }
    rows.push([`${place} (${samples.length})`, ...counts]);
  }
  return table(['correct titles', ...describers.map(({ name }) => name)], rows);
}

async function compareBehaviors(): Promise<string> {
  const rows: string[][] = [];
  for (const { what, serve: answer, isRight } of PROBES) {
    const cells: string[] = [];
    for (const describer of describers) {
      serve = answer;
      const start = performance.now();
      const found = await describePath(describer, '/a/b');
      cells.push(isRight(found, origin, performance.now() - start) ? 'yes' : 'no');
    }
    rows.push([what, ...cells]);
  }
  return table(['', ...describers.map(({ name }) => name)], rows);
}

const sections = {
  pages: await comparePages(),
  charsets: await compareCharsets(),
  behaviors: await compareBehaviors(),
};
let document = readFileSync(DOCUMENT, 'utf8');
for (const [name, text] of Object.entries(sections)) {
  document = document.replace(
    new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`),
    (_, open: string, close: string) => `${open}\n${text}\n${close}`,
  );
}
writeFileSync(DOCUMENT, document);
console.log(Object.values(sections).join('\n\n'));
own.close();
server.closeAllConnections();
server.close();
// A peer that still waits for a page would keep the process alive.
process.exit();
