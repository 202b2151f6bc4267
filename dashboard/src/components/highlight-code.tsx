/** Highlights code: four colors, for names, strings, numbers and comments. */
import type { ReactNode } from 'react';
import classes from './code-block.module.css';

/** The syntax to highlight: JSON, or the strings and comments that shell, TypeScript and Python share. */
export type Language = 'json' | 'code';

const TOKENS = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g,
  code: /(?<comment>(?<=^|\s)(?:#|\/\/)[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<name>(?<=\s)--[\w-]+|\b(?:const|await|new|import|from|export|async|return|with|as|if|throw|print)\b)/g,
} as const;

// Thousands of spans would slow the page down.
const MAX_HIGHLIGHTED_CHARACTERS = 40_000;

/** Returns the code with a span around each colored token. Long code stays plain. */
export function highlightCode(code: string, language: Language): ReactNode {
  if (code.length > MAX_HIGHLIGHTED_CHARACTERS) return code;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    if (match.index > end) parts.push(code.slice(end, match.index));
    parts.push(
      <span key={match.index} className={kind === undefined ? undefined : classes[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  parts.push(code.slice(end));
  return parts;
}
