/** Reads package-lock.json (version 3): which folders of node_modules a set of packages needs. */

/** A package of the lock, by its folder. */
interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** The part of package-lock.json that matters here. */
export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/**
 * Lists the folders of the named packages and of all that they need, sorted. Optional dependencies and
 * optional peers are left out: they are for other platforms, or for frameworks that are not used. Throws if
 * the lock lacks a package.
 */
export function listNeededFolders(lock: LockFile, names: readonly string[]): string[] {
  const needed = new Set<string>();
  const waiting = names.map((name) => findFolder(lock, '', name));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (needed.has(folder)) continue;
    needed.add(folder);
    for (const name of listDependencies(lock.packages[folder] ?? {}))
      waiting.push(findFolder(lock, folder, name));
  }
  return [...needed].sort();
}

function listDependencies({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: LockedPackage): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}

/** Finds the package that `name` resolves to from a folder, as Node does: the nearest node_modules first. */
function findFolder({ packages }: LockFile, from: string, name: string): string {
  const parts = from === '' ? [''] : ['', ...`/${from}`.split('/node_modules/').slice(1)];
  for (let depth = parts.length; depth > 0; depth--) {
    const folder = [...parts.slice(0, depth), name].join('/node_modules/').slice(1);
    if (packages[folder] !== undefined) return folder;
  }
  throw new Error(`package-lock.json has no ${name}, which ${from || 'the project'} needs`);
}
