import { scanHtml } from '#html';

/** Offsets at which elements can be inserted into an HTML source without changing how the rest is parsed. */
export interface InsertionPoints {
  /** The beginning of the head: after the doctype and what precedes it. */
  headStart: number;
  /** The end of the head: before `</head>`, or before what ends the head implicitly. */
  headEnd: number;
  /** True if the head contains a `<base>` element. */
  hasBase: boolean;
}

/** Elements that the parser leaves in the head (HTML standard §13.2.6.4.4, "in head"). */
const HEAD_ELEMENTS = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(' '),
);
const CONTAINERS = new Set(['noscript', 'template']);

/** Finds the beginning and the end of the head, which may be implied. Scans no further than its end. */
export function findInsertionPoints(html: string): InsertionPoints {
  const points: InsertionPoints = { headStart: 0, headEnd: 0, hasBase: false };
  let depth = 0;
  let isBeforeHtml = true;
  for (const token of scanHtml(html)) {
    if (token.kind === 'doctype') {
      if (isBeforeHtml) points.headStart = token.end;
    } else if (token.kind === 'text' && depth === 0) {
      if (/[^\t\n\f\r ]/.test(html.slice(token.start, token.end))) return points;
    } else if (token.kind === 'start') {
      isBeforeHtml = false;
      if (depth === 0 && !HEAD_ELEMENTS.has(token.name)) return points;
      if (CONTAINERS.has(token.name)) depth += 1;
      if (token.name === 'base' && depth === 0) points.hasBase = true;
    } else if (token.kind === 'end') {
      if (depth === 0 && ['head', 'body', 'html', 'br'].includes(token.name)) return points;
      if (CONTAINERS.has(token.name)) depth = Math.max(0, depth - 1);
    }
    points.headEnd = token.end;
  }
  return points;
}
