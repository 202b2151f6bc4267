/** A service to attack: with its own data, DNS, web sites, accounts and a well-behaved caller. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, createKey } from '#accounts';
import { loadConfig } from '#config';
import { openStorage } from '#storage';
import type { Attack, AttackField } from './attack.ts';
import { type GoodCaller, openGoodCaller } from './good-caller.ts';
import { type Service, startService } from './service.ts';
import { openTargets } from './targets.ts';

export interface AttackRange extends AsyncDisposable {
  service: Service;
  caller: GoodCaller;
  /** Returns the targets and accounts of an attack. They are the same each time. */
  fieldOf(attack: Attack): Omit<AttackField, 'note'>;
}

/**
 * The keys of every account that each attack asks for, and the well-behaved caller's; stored before the
 * service starts.
 */
async function createAccounts(
  dataDir: string,
  attacks: readonly Attack[],
): Promise<{ goodKey: string; keys: Map<string, string[][]> }> {
  const { plans } = loadConfig({});
  const storage = await openStorage({ dataDir });
  const createKeys = async (name: string, plan: string, count: number): Promise<string[]> => {
    const email = `${name}@example.com`;
    const { id } = await createAccount(storage.accounts, plans, { email, plan }, Date.now());
    const secrets: string[] = [];
    for (let n = 0; n < count; n += 1)
      secrets.push((await createKey(storage.keys, { accountId: id, name: `key ${n}` }, Date.now())).secret);
    return secrets;
  };
  try {
    const keys = new Map<string, string[][]>();
    for (const { name, accounts } of attacks) {
      const own: string[][] = [];
      for (const { plan, keys: count } of accounts)
        own.push(await createKeys(`${name}-${own.length}`, plan, count));
      keys.set(name, own);
    }
    const [goodKey = ''] = await createKeys('good', 'business', 1);
    return { goodKey, keys };
  } finally {
    await storage.close();
  }
}

/** Opens it for these attacks. */
export async function openAttackRange(
  attacks: readonly Attack[],
  settings: Record<string, string> = {},
): Promise<AttackRange> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-attacks-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // The browser runs as another user and has to reach its folder.
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  for (const path of [folder, temporary]) await chmod(path, 0o755);
  const dataDir = join(folder, 'data');
  const { goodKey, keys } = await createAccounts(dataDir, attacks);
  const targets = parts.use(await openTargets());
  const service = parts.use(
    await startService({
      DATA_DIR: dataDir,
      TMPDIR: temporary,
      DNS_SERVERS: targets.dns,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      // Attackers name the network that they come from.
      TRUST_PROXY: '127.0.0.0/8',
      // As on two cores: four documents are meant to be more than there are slots.
      PDF_SLOTS: '3',
      ...settings,
    }),
  );
  const caller = parts.use(
    await openGoodCaller({ port: service.port, key: goodKey, sitePort: targets.ports.site }),
  );
  const owned = parts.move();
  return {
    service,
    caller,
    fieldOf: ({ name }) => ({
      port: service.port,
      servicePid: service.pid,
      targets: targets.ports,
      accounts: keys.get(name) ?? [],
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
