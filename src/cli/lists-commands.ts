import { acceptCopy, type DomainLists, listEvidence, type ListStatus, loadListStatus } from '#email';
import { loadSavedLists, parseDomain, validateEmail } from '#email';
import { ApiError } from '#errors';
import { type CliContext, type Command, UsageError } from './command.ts';
import { formatTable, formatTime } from './format-table.ts';

export const showListsCommand: Command = {
  name: 'lists',
  positionals: [],
  options: {},
  usage: 'lists',
  help: 'Shows the lists of disposable domains as the service last used them: source, domains and how many of them are only suspected, age, the last refresh and its result, and whether a large change waits to be accepted.',
  async run({ dataDir, now }) {
    const lists = await loadStatus(dataDir);
    const rows = lists.map((list) => [
      describeSource(list),
      String(list.entries),
      String(list.suspected ?? ''),
      formatAge(list.updatedAtMs, now()),
      formatTime(list.refresh?.atMs ?? null),
      describeResult(list),
    ]);
    return {
      text: formatTable(['SOURCE', 'DOMAINS', 'SUSPECTED', 'AGE', 'LAST REFRESH', 'RESULT'], rows),
      json: lists.map(toJson),
    };
  },
};

export const acceptListsCommand: Command = {
  name: 'lists accept',
  positionals: [],
  options: { source: { type: 'string' } },
  usage: 'lists accept [--source <url>]',
  help: 'Accepts the changes by over 30 % that lists offer, or that of one list. A running service uses them within 5 s.',
  async run({ dataDir }, { values }) {
    const source = values['source'] as string | undefined;
    const lists = await loadStatus(dataDir);
    if (source !== undefined && !lists.some((list) => list.source === source))
      throw new ApiError('not_found', `There is no list ${source}: lists shows them.`);
    const accepted: ListStatus[] = [];
    for (const list of lists) {
      const isMeant = list.offered !== null && (source ?? list.source) === list.source;
      if (isMeant && (await acceptCopy(dataDir, list.source))) accepted.push(list);
    }
    if (accepted.length === 0)
      throw new ApiError('not_found', 'No change waits to be accepted: lists shows the last refreshes.');
    return { text: accepted.map(describeAcceptance).join('\n'), json: accepted.map(toJson) };
  },
};

export const explainListsCommand: Command = {
  name: 'lists explain',
  positionals: ['domain'],
  options: {},
  usage: 'lists explain <domain>',
  help: 'Shows who calls a domain or its parent disposable, or not, and when, by the lists that the service last used, and what validateEmail makes of it without DNS.',
  async run({ dataDir, now }, { positionals: [given = ''] }) {
    const domain = parseDomain(given.slice(given.lastIndexOf('@') + 1));
    if (typeof domain === 'string')
      throw new UsageError(`«${given}» is not a domain. Usage: ${explainListsCommand.usage}`);
    const name = domain.ascii;
    const lists = await loadSavedLists(dataDir, now);
    const evidence = listEvidence(name, lists);
    const result = await validateWithoutDns(`ann@${name}`, lists);
    const grade = evidence.length === 0 ? 'not_listed' : findGrade(result);
    const parents = new Set(evidence.map((one) => one.name).filter((one) => one !== name));
    const listed = [...parents].map((parent) => `, listed as the parent ${parent}`).join('');
    const table = formatTable(
      ['DOMAIN', 'SOURCE', 'SAYS', 'DATE', 'BECAUSE', 'URL'],
      evidence.map((one) => [one.name, one.source, one.says, one.date ?? '–', one.title, one.url ?? '']),
    );
    const said = `${name}: ${grade.replace('_', ' ')}${listed}\n${table}`;
    const head = evidence.length === 0 ? `No list has ${name}.` : said;
    const text = `${head}\nvalidateEmail without DNS: ${JSON.stringify(result)}`;
    return { text, json: { domain: name, grade, evidence, result } };
  },
};

/** Returns what `validateEmail` says of an address, as the members of its response are named. */
async function validateWithoutDns(email: string, lists: DomainLists) {
  const request = { email, checkMx: false, suggest: true, details: true };
  const lookupMail = () => Promise.reject(new Error('queried DNS'));
  const { disposable, didYouMean, details } = await validateEmail(request, { lists, lookupMail });
  const { verdict = 'unknown', reasons = [], score } = details ?? {};
  return { disposable, did_you_mean: didYouMean, verdict, reasons, score };
}

function findGrade({ disposable, reasons }: Awaited<ReturnType<typeof validateWithoutDns>>) {
  if (disposable) return 'disposable';
  return reasons.includes('suspected_disposable') ? 'suspected' : 'not_disposable';
}

async function loadStatus(dataDir: CliContext['dataDir']): Promise<ListStatus[]> {
  const lists = await loadListStatus(dataDir);
  if (lists !== null) return lists;
  throw new ApiError(
    'not_found',
    `The service has not run with the folder ${dataDir} yet: start it, or set DATA_DIR as it does.`,
  );
}

function describeSource({ kind, source }: ListStatus): string {
  if (kind === 'bundled') return 'built in';
  if (kind === 'fetched') return source;
  return `${source} (${kind})`;
}

function describeResult({ refresh, offered, dropped }: ListStatus): string {
  const parts: string[] = [];
  if (refresh)
    parts.push(refresh.reason === null ? refresh.outcome : `${refresh.outcome}: ${refresh.reason}`);
  if (offered)
    parts.push(`${offered.entries} domains of ${formatTime(offered.fetchedAtMs)} wait for «lists accept»`);
  const { malformed = 0, public_suffix = 0, never_disposable = 0 } = dropped ?? {};
  if (malformed + public_suffix + never_disposable > 0)
    parts.push(
      `dropped: ${malformed} malformed, ${public_suffix} public suffixes, ${never_disposable} providers`,
    );
  return parts.join('; ');
}

function describeAcceptance({ source, entries, offered }: ListStatus): string {
  return `Accepted ${source}: ${offered?.entries} domains instead of ${entries}.`;
}

/** Formats an age in its largest unit; an empty text for a list without a date. */
function formatAge(sinceMs: number | null, nowMs: number): string {
  if (sinceMs === null) return '';
  const minutes = Math.max(0, Math.floor((nowMs - sinceMs) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}

function toJson({ kind, source, entries, suspected, updatedAtMs, dropped, refresh, offered }: ListStatus) {
  return {
    kind,
    source: source || null,
    entries,
    suspected,
    updated_at: formatTime(updatedAtMs) || null,
    dropped,
    refreshed_at: formatTime(refresh?.atMs ?? null) || null,
    outcome: refresh?.outcome ?? null,
    reason: refresh?.reason ?? null,
    offered: offered && { entries: offered.entries, fetched_at: formatTime(offered.fetchedAtMs) },
  };
}
