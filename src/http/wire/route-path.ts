/** A path without % and without a slash at its end, then perhaps a query or a fragment. */
const PLAIN_TARGET = /^(?:\/|[^?#%]*[^/?#%])(?:[?#]|$)/;

/**
 * Returns the request target that the router gets. A trailing slash is removed. `%` is escaped, because the
 * router refuses percent-encoding that it cannot decode.
 */
export function normalizeRoutePath(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  const end = target.search(/[?#]/);
  let path = end < 0 ? target : target.slice(0, end);
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  if (path.includes('%')) path = path.replaceAll('%', '%25');
  return end < 0 ? path : path + target.slice(end);
}
