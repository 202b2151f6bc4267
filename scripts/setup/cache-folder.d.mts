/** Returns the cache's root folder for this user, which may not exist yet. */
export function getCacheRoot(): string;
/** Installs `<root>/<name>` atomically: `fill` writes into a temporary folder beside it. Returns its path. */
export function installFolder(
  root: string,
  name: string,
  how: { fill: (temporary: string) => Promise<void>; isComplete: (folder: string) => boolean },
): Promise<string>;
