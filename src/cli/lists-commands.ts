import { acceptCopy, type ListStatus, loadListStatus } from '#email';
import { ApiError } from '#errors';
import type { CliContext, Command } from './command.ts';
import { formatTable, formatTime } from './format-table.ts';

export const showListsCommand: Command = {
  name: 'lists',
  positionals: [],
  options: {},
  usage: 'lists',
  help: 'Shows the lists of disposable domains as the service last used them: source, domains, age, the last refresh and its result, and whether a large change waits to be accepted.',
  async run({ dataDir, now }) {
    const lists = await loadStatus(dataDir);
    const rows = lists.map((list) => [
      describeSource(list),
      String(list.entries),
      formatAge(list.updatedAtMs, now()),
      formatTime(list.refresh?.atMs ?? null),
      describeResult(list),
    ]);
    return {
      text: formatTable(['SOURCE', 'DOMAINS', 'AGE', 'LAST REFRESH', 'RESULT'], rows),
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

function toJson({ kind, source, entries, updatedAtMs, dropped, refresh, offered }: ListStatus) {
  return {
    kind,
    source: source || null,
    entries,
    updated_at: formatTime(updatedAtMs) || null,
    dropped,
    refreshed_at: formatTime(refresh?.atMs ?? null) || null,
    outcome: refresh?.outcome ?? null,
    reason: refresh?.reason ?? null,
    offered: offered && { entries: offered.entries, fetched_at: formatTime(offered.fetchedAtMs) },
  };
}
