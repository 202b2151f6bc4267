import type { SourceTexts } from './load-sources.ts';

/** The names in the sources, in lower case. */
export interface SourceNames {
  wesbos: ReadonlySet<string>;
  mailchecker: ReadonlySet<string>;
  ivolo: ReadonlySet<string>;
  disposable: ReadonlySet<string>;
  amieiro: ReadonlySet<string>;
  /** The names that stood in the same list a year or more before. */
  aged: Record<'wesbos' | 'mailchecker' | 'ivolo' | 'disposable', ReadonlySet<string>>;
  /** Domains that disposable services offer. */
  offered: ReadonlySet<string>;
  /** The top million of Tranco and of Chrome's users, and the 10,000 most visited sites of four rankings. */
  ranked: ReadonlySet<string>;
  top: ReadonlySet<string>;
  /** Universities and schools. */
  schools: ReadonlySet<string>;
  /** Providers of mailboxes. */
  providers: ReadonlySet<string>;
  /** The branch of the operator of a domain: `ISP`, `Email Provider`, `Finance` … */
  branches: ReadonlyMap<string, string>;
  free: ReadonlySet<string>;
  freemail: ReadonlySet<string>;
  emailProviders: ReadonlySet<string>;
  personal: ReadonlySet<string>;
}

/** Parses the texts of the sources. */
export function parseSources(texts: SourceTexts): SourceNames {
  const ivolo = new Set([...parseArray(texts.ivolo), ...parseArray(texts.ivoloWildcards)]);
  const top = [texts.trancoTop, texts.umbrellaTop, texts.majesticTop, texts.cloudflareTop].flatMap(
    parseWarningList,
  );
  return {
    wesbos: parseLines(texts.wesbos),
    mailchecker: parseLines(texts.mailchecker),
    ivolo,
    disposable: parseLines(texts.disposable),
    amieiro: parseLines(texts.amieiro),
    aged: {
      wesbos: parseLines(texts.wesbosEarlier),
      mailchecker: parseLines(texts.mailcheckerEarlier),
      // The list has had no additions since 2023.
      ivolo,
      disposable: parseLines(texts.disposableEarlier),
    },
    offered: parseOffered(texts.offered),
    ranked: new Set([...parseWarningList(texts.tranco), ...parseWarningList(texts.crux), ...top]),
    top: new Set(top),
    schools: new Set([...parseUniversities(texts.universities), ...parseSchools(texts.schools)]),
    providers: new Set([
      ...parseAutoconfig(texts.ispdb),
      ...parseProviderPages(texts.providerDb),
      ...parseProviderLinks(texts.providerLinks),
    ]),
    branches: parseBranches(texts.operators),
    free: parseArray(texts.free),
    freemail: parseLines(texts.freemail),
    emailProviders: parseArray(texts.emailProviders),
    personal: parseArray(texts.personal),
  };
}

function parseLines(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.trim().toLowerCase());
  return new Set(lines.filter((line) => line !== '' && !/^[#/]/.test(line)));
}

function parseArray(text: string): Set<string> {
  return new Set((JSON.parse(text) as string[]).map((name) => name.toLowerCase()));
}

/** A warning list of MISP: `{"list": ["acme.com"]}`. */
function parseWarningList(text: string): string[] {
  return (JSON.parse(text) as { list: string[] }).list.map((name) => name.toLowerCase());
}

function parseUniversities(text: string): string[] {
  const universities = JSON.parse(text) as { domains: string[] }[];
  return universities.flatMap(({ domains }) => domains.map((name) => name.toLowerCase()));
}

/** Swot has one file for each school: `data/lib/domains/ch/ethz.txt`. */
function parseSchools(text: string): string[] {
  const files = [...text.matchAll(/^data\/lib\/domains\/(.+\/.+)\.txt$/gm)];
  return files.map(([, path = '']) => path.split('/').toReversed().join('.'));
}

/** The configurations in Thunderbird's directory of mail providers. */
function parseAutoconfig(text: string): string[] {
  return [...text.matchAll(/<domain>([^<]+)<\/domain>/g)].map(([, name = '']) => name.trim());
}

/** Pages of Delta Chat's directory: `domains:`, then lines of `  - acme.com`. Patterns are left out. */
function parseProviderPages(text: string): string[] {
  const lists = [...text.matchAll(/^domains:\n((?: +- .+\n)+)/gm)];
  return lists.flatMap(([, lines = '']) =>
    [...lines.matchAll(/- ([a-z0-9.-]+)$/gm)].map(([, name = '']) => name),
  );
}

function parseProviderLinks(text: string): string[] {
  const { providers } = JSON.parse(text) as { providers: { domains?: string[] }[] };
  return providers.flatMap(({ domains = [] }) => domains);
}

/** Lines of `domain,name,branch`, where the name may be quoted. */
function parseBranches(text: string): Map<string, string> {
  const lines = text.split('\n').slice(1);
  return new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(',')).toLowerCase(),
      line.slice(line.lastIndexOf(',') + 1).trim(),
    ]),
  );
}

function parseOffered(text: string): Set<string> {
  const { domains } = JSON.parse(text) as { domains: Record<string, { hosts: Record<string, unknown> }> };
  return new Set(Object.entries(domains).flatMap(([name, { hosts }]) => [name, ...Object.keys(hosts)]));
}
