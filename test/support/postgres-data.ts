/** The data folder of a PostgreSQL server: a copy of one that `initdb` made for these programs. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { chown, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The user that the programs run as, by default that of the test. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/** Sorts text as a language does, not by bytes, as most servers do. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
const OPTIONS = ['-U', 'postgres', '--auth=trust', '--no-sync', ...LOCALE];

/**
 * Creates the data folder of a server. `initdb` runs once for each version of the programs: it takes four
 * times the processor time of a copy.
 */
export async function createDataFolder(binaries: string, data: string, user: ServerUser): Promise<void> {
  runProgram('cp', ['-a', await findTemplate(binaries, user), data], user);
}

/** Returns a data folder to copy, which is made if there is none. */
async function findTemplate(binaries: string, user: ServerUser): Promise<string> {
  const initdb = realpathSync(join(binaries, 'initdb'));
  const { mtimeMs, size } = statSync(initdb);
  const uid = user.uid ?? process.getuid?.() ?? 0;
  const key = JSON.stringify([initdb, mtimeMs, size, uid, OPTIONS]);
  const name = `utility-api-postgres-data-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  // The folder for temporary files may be that of one run.
  const home = join(process.env['TEST_KEPT_FOLDER'] ?? tmpdir(), name);
  const template = join(home, 'data');
  if (existsSync(template)) return template;
  // Renamed when it is complete: another test file may make it at the same time.
  const draft = await mkdtemp(`${home}-`);
  if (user.uid !== undefined) await chown(draft, user.uid, user.gid ?? user.uid);
  runProgram(initdb, ['-D', join(draft, 'data'), ...OPTIONS], user);
  await rename(draft, home).catch(() => rm(draft, { recursive: true }));
  return template;
}

function runProgram(program: string, args: string[], user: ServerUser): void {
  const { status, stderr, error } = spawnSync(program, args, { ...user, encoding: 'utf8', cwd: '/' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}
