/** A response that proves a wall: all of the given parts hold. */
export interface WallSign {
  status?: readonly number[];
  /** A response header and its value. */
  header?: readonly [name: string, value: RegExp];
  /** The host and the path of the final URL. */
  host?: RegExp;
  path?: RegExp;
  /** True if a redirect led here from another `path`: a page that the caller requested is ordinary. */
  isRedirected?: true;
  /** The page's title. */
  title?: RegExp;
  /** Pieces of the source that are all in the page. A page about walls has them escaped, or no other part. */
  source?: readonly string[];
  /** The page has at most so many bytes: walls are short, and longer pages need not be searched. */
  maxBytes?: number;
  /** The page has at most so many bytes, and declares no `og:` tag. */
  bareBytes?: number;
}

/** A page that a site sends in place of the requested one. */
export interface Wall {
  /** The value of `details.blocked`. */
  name: string;
  /** Any one of them suffices. */
  signs: readonly WallSign[];
}
