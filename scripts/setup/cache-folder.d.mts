/** Returns the cache's root folder for this user, which may not exist yet. */
export function getCacheRoot(): string;
