import type { SourceName } from './sources.ts';

/** The first and the last day on which a service offered a domain. */
export interface Offer {
  name: string;
  days: readonly [first: string, last: string];
}

/** The names in the sources, in lower case. */
export interface SourceNames {
  /** A copy of the lists of disposable domains. */
  amieiro: ReadonlySet<string>;
  /** Domains that disposable services offered when they were asked. */
  offered: readonly Offer[];
  /** The 10,000 most visited sites of four rankings. */
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
export function parseSources(texts: Record<SourceName, string>): SourceNames {
  const top = [texts.trancoTop, texts.umbrellaTop, texts.majesticTop, texts.cloudflareTop].flatMap(
    parseWarningList,
  );
  return {
    amieiro: parseLines(texts.amieiro),
    offered: parseOffered(texts.offered),
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

/** fakefilter's times are in seconds. What it has from a list (`static`), no service offered. */
function parseOffered(text: string): Offer[] {
  interface Times {
    firstseen: number;
    lastseen: number;
  }
  const { domains } = JSON.parse(text) as {
    domains: Record<string, { providers: string[]; hosts: Record<string, Times> }>;
  };
  const offered = Object.values(domains).filter(({ providers }) => providers.some((one) => one !== 'static'));
  const hosts = offered.flatMap(({ hosts: each }) => Object.entries(each));
  return hosts.map(([name, { firstseen, lastseen }]) => ({
    name: name.toLowerCase(),
    days: [formatDay(firstseen), formatDay(lastseen)],
  }));
}

function formatDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
