import { loadListStatus } from '#email';
import type { CliContext, Command } from './command.ts';
import { formatCount, formatTable, formatTime } from './format-table.ts';
import type { Readiness } from './read-readiness.ts';

interface Part {
  part: string;
  ok: boolean;
  details: string;
}

export const healthCommand: Command = {
  name: 'health',
  positionals: [],
  options: {},
  usage: 'health',
  help: 'Shows the state of the database, of the service on HOST and PORT with its parts, and of the lists of domains. Exits with 1 if a part does not work. The admin page of the dashboard shows more.',
  async run(context) {
    const readiness = await context.readReadiness();
    const parts = [
      await checkDatabase(context),
      describeService(readiness, context.origin),
      ...describeParts(readiness),
      await checkLists(context),
      await checkAdministrator(context),
    ];
    const isOk = parts.every(({ ok }) => ok);
    return {
      text: formatTable(
        ['PART', 'STATE', 'DETAILS'],
        parts.map(({ part, ok, details }) => [part, ok ? 'ok' : 'fails', details]),
      ),
      json: { ok: isOk, status: readiness?.status ?? null, parts },
      exitCode: isOk ? undefined : 1,
    };
  },
};

async function checkDatabase({ description, isHealthy, loadSizeBytes }: CliContext): Promise<Part> {
  const ok = await isHealthy();
  const bytes = ok ? await loadSizeBytes() : null;
  const size = bytes === null ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`;
  return { part: 'database', ok, details: `${description}${size}` };
}

function describeService(readiness: Readiness | null, origin: string): Part {
  if (readiness === null)
    return {
      part: 'service',
      ok: false,
      details: `does not respond (links begin with ${origin}): start it, or set HOST and PORT as it does`,
    };
  return {
    part: 'service',
    ok: readiness.status === 'ready',
    details: `${readiness.status}, ${readiness.url}`,
  };
}

/** Returns the parts that the service reports. It sees the same database as this command. */
function describeParts(readiness: Readiness | null): Part[] {
  return Object.entries(readiness?.parts ?? {})
    .filter(([part, { ok }]) => part !== 'database' || !ok)
    .map(([part, { ok, reason, ...facts }]) => {
      const known = Object.entries(facts)
        .filter(([name]) => name !== 'required')
        .map(([name, value]) => `${name} ${String(value)}`);
      return { part: `service: ${part}`, ok, details: [reason, ...known].filter(Boolean).join(', ') };
    });
}

async function checkLists({ dataDir }: CliContext): Promise<Part> {
  const lists = (await loadListStatus(dataDir)) ?? [];
  const failed = lists.filter(
    ({ refresh }) => refresh?.outcome === 'failed' || refresh?.outcome === 'refused',
  );
  const refreshedAtMs = Math.max(0, ...lists.map(({ refresh }) => refresh?.atMs ?? 0));
  const last = refreshedAtMs === 0 ? 'none fetched' : `last refresh ${formatTime(refreshedAtMs)}`;
  return {
    part: 'lists',
    ok: failed.length === 0,
    details:
      failed.length === 0
        ? `${formatCount(lists.length, 'list')}, ${last}`
        : `${failed.length} of ${lists.length} could not be refreshed: lists shows why`,
  };
}

async function checkAdministrator({ accounts }: CliContext): Promise<Part> {
  const ok = await accounts.hasAdmin();
  return {
    part: 'administrator',
    ok,
    details: ok ? '' : 'none: accounts setup-link prints a link that creates one',
  };
}
