/**
 * Wraps comments whose lines are too long. List items stay separate; tables and aligned text are not changed.
 */
import { type Comment, parseSource, type SourceFile } from '../source/syntax-tree.ts';
import { MAX_COMMENT_LINE } from './patterns.ts';

/** A comment, or consecutive line comments, alone on its lines. */
interface CommentBlock {
  kind: Comment['kind'];
  start: number;
  end: number;
  indent: string;
  /** Without delimiters and leading stars. */
  lines: string[];
}

/** Returns the text of a file with long comments wrapped, except comments after code on the same line. */
export function wrapComments(path: string, text: string): string {
  const blocks = findBlocks(parseSource(path, text));
  let wrapped = text;
  for (const block of blocks.toReversed()) {
    const before = text.slice(block.start, block.end);
    const longest = Math.max(...`${block.indent}${before}`.split('\n').map((line) => line.length));
    if (longest > MAX_COMMENT_LINE)
      wrapped = wrapped.slice(0, block.start) + formatBlock(block) + wrapped.slice(block.end);
  }
  return wrapped;
}

function findBlocks({ text, comments }: SourceFile): CommentBlock[] {
  const blocks: CommentBlock[] = [];
  for (const { kind, text: content, start, end } of comments) {
    const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    const after = text.slice(end, text.indexOf('\n', end) === -1 ? undefined : text.indexOf('\n', end));
    if (indent.trim() !== '' || after.trim() !== '') continue;
    const last = blocks.at(-1);
    const line = content.replace(/^ /, '');
    const isContinued = last?.kind === 'line' && kind === 'line' && last.indent === indent;
    if (isContinued && /^\n[ \t]*$/.test(text.slice(last.end, start))) {
      last.lines.push(line);
      last.end = end;
      continue;
    }
    const lines = kind === 'line' ? [line] : splitBlock(content);
    blocks.push({ kind, start, end, indent, lines });
  }
  return blocks;
}

function splitBlock(content: string): string[] {
  const lines = content.replace(/^\*/, '').split('\n');
  const stripped = lines.map((line, index) => (index === 0 ? line.trim() : line.replace(/^\s*\*? ?/, '')));
  while (stripped.at(-1)?.trim() === '') stripped.pop();
  while (stripped[0]?.trim() === '') stripped.shift();
  return stripped;
}

function formatBlock({ kind, indent, lines }: CommentBlock): string {
  const width = MAX_COMMENT_LINE - indent.length - 3;
  const wrapped = wrapLines(lines, width);
  if (kind === 'line') return wrapped.map((line) => `// ${line}`.trimEnd()).join(`\n${indent}`);
  const open = kind === 'doc' ? '/**' : '/*';
  const [only = ''] = wrapped;
  if (wrapped.length === 1 && only.length <= width - 4) return `${open} ${only} */`;
  return [open, ...wrapped.map((line) => ` * ${line}`.trimEnd()), ' */'].join(`\n${indent}`);
}

/** Joins the lines of each paragraph or list item and wraps them. */
function wrapLines(lines: string[], width: number): string[] {
  const paragraphs: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isFixed = /^\s*$|^\s*[|@]|^ {4,}|\S {2,}\S|^```/.test(line);
    const isItem = /^\s*(?:[-*•]|\d+\.) /.test(line);
    if (isOpen && !isFixed && !isItem) paragraphs.at(-1)?.push(line.trim());
    else paragraphs.push([line.trimEnd()]);
    isOpen = !isFixed;
  }
  return paragraphs.flatMap((paragraph) => {
    const [first = ''] = paragraph;
    if (paragraph.length === 1 && first.length <= width) return [first];
    return wrapParagraph(paragraph.join(' '), width);
  });
}

/** Wraps at blanks outside of code in backticks. Indents a list item from its second line on. */
function wrapParagraph(text: string, width: number): string[] {
  const hang = /^\s*(?:[-*•]|\d+\.) /.test(text) ? '  ' : '';
  const lines = [/^\s*/.exec(text)?.[0] ?? ''];
  for (const [word] of text.matchAll(/(?:[^\s`]|`[^`]*`|`)+/g)) {
    const last = lines.at(-1) ?? '';
    const joined = last.trim() === '' ? last + word : `${last} ${word}`;
    if (joined.length <= width || last.trim() === '') lines[lines.length - 1] = joined;
    else lines.push(hang + word);
  }
  return lines;
}
