/** Highlighted code with a copy button. */
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { CopyIcon } from './copy-button.tsx';

/** The syntax to highlight: JSON, or the strings and comments that shell, JavaScript and Python share. */
export type Language = 'json' | 'code';

/** Shows `code` with a button that copies it. `label` names it for screen readers. */
export function CodeBlock({
  code,
  label,
  language = 'code',
  maxHeight = 480,
  wrap = false,
}: {
  code: string;
  label: string;
  language?: Language;
  maxHeight?: number;
  wrap?: boolean;
}) {
  return (
    <div className={classes.block}>
      <pre
        className={wrap ? `${classes.code} ${classes.wrap}` : classes.code}
        style={{ maxHeight }}
        // A scrollable region must be focusable (axe: scrollable-region-focusable).
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <code>{highlight(code, language)}</code>
      </pre>
      <div className={classes.copy}>
        <CopyIcon text={code} what={label} />
      </div>
    </div>
  );
}

const TOKENS = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g,
  code: /(?<comment>(?<=^|\s)(?:#|\/\/)[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g,
} as const;

// Thousands of spans would slow the page down.
const MAX_HIGHLIGHTED_CHARACTERS = 40_000;

function highlight(code: string, language: Language): ReactNode {
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
