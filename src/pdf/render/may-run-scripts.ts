/** A false match costs two calls of the page, and a hint too many. */
const MAY_HAVE_SCRIPTS = /<script|[\s"'/]on[a-z]+\s*=|javascript:/i;

/** Checks whether a document may have scripts that run. */
export function mayRunScripts({ javascript }: { javascript: boolean }, html: string): boolean {
  return javascript && MAY_HAVE_SCRIPTS.test(html);
}
