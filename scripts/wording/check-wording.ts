/** Compares the prose of a file with the patterns. */
import { parseSource } from '../source/syntax-tree.ts';
import { findProse, type ProseOptions } from './find-prose.ts';
import { LONG_LINE, MAX_COMMENT_LINE, PATTERNS, type WordingPattern } from './patterns.ts';

export interface WordingFault {
  path: string;
  /** 1-based. */
  line: number;
  pattern: string;
  advice: string;
  /** The words found, with a few around them. */
  excerpt: string;
}

/** Returns the faults of one file, in the order of its lines. */
export function checkWording(path: string, text: string, options: ProseOptions): WordingFault[] {
  const faults = findProse(path, text, options).flatMap((prose) =>
    PATTERNS.flatMap(({ name, pattern, advice, kinds }) => {
      if (kinds && !kinds.includes(prose.kind)) return [];
      if (pattern.source.startsWith('^') && !prose.isFirst) return [];
      const match = findWord(pattern, prose.text);
      if (match === null) return [];
      return [{ path, line: prose.line, pattern: name, advice, excerpt: cutAround(prose.text, match) }];
    }),
  );
  if (!path.endsWith('.md')) faults.push(...findLongLines(path, text));
  return faults.toSorted((a, b) => a.line - b.line);
}

/** Finds the first match that is a word of prose, and not part of an address, a path or a hyphenated name. */
function findWord({ source, flags }: WordingPattern['pattern'], text: string): RegExpExecArray | null {
  for (const match of text.matchAll(new RegExp(source, `${flags}g`))) {
    const after = text.slice(match.index + match[0].length);
    const before = text.slice(0, match.index);
    if (!/^(?:[@/_]|[.:-]\w)/.test(after) && !/[@/_#.'"$-]$/.test(before)) return match;
  }
  return null;
}

function cutAround(text: string, match: RegExpExecArray): string {
  const start = Math.max(0, match.index - 25);
  const end = match.index + match[0].length + 35;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}

/** Finds the comment lines that are too long, except those with a URL that cannot be wrapped. */
function findLongLines(path: string, text: string): WordingFault[] {
  const source = parseSource(path, text);
  const lines = text.split('\n');
  const numbers = source.comments.flatMap(({ start, end }) => {
    const first = source.getLine(start);
    return Array.from({ length: source.getLine(end) - first + 1 }, (_, index) => first + index);
  });
  return [...new Set(numbers)].flatMap((line) => {
    const content = lines[line - 1] ?? '';
    if (content.length <= MAX_COMMENT_LINE || /https?:\/\/\S{50,}/.test(content)) return [];
    const { name, advice } = LONG_LINE;
    return [{ path, line, pattern: name, advice, excerpt: `${content.length} characters` }];
  });
}
