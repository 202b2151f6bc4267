/** Finds the prose of a file: comments and texts of code by its syntax tree, Markdown without its code. */
import { extname } from 'node:path';
import { type Comment, createLineIndex, type Node, parseSource, walk } from '../source/syntax-tree.ts';
import type { ProseKind } from './patterns.ts';

/** One line of prose. */
export interface Prose {
  kind: ProseKind;
  text: string;
  /** 1-based. */
  line: number;
  /** True for the first line of a comment or text. */
  isFirst: boolean;
}

export interface ProseOptions {
  /** The texts in code that are prose: sentences, only the names of tests, or sentences and labels. */
  texts: 'sentences' | 'test-names' | 'labels';
}

/** Returns the prose of a Markdown, TypeScript or JavaScript file. */
export function findProse(path: string, text: string, options: ProseOptions): Prose[] {
  if (extname(path) === '.md') return findMarkdown(text);
  const source = parseSource(path, text);
  const prose = source.comments.flatMap((comment) => findCommentLines(comment, source.getLine));
  const addText = (value: string, offset: number): void => {
    for (const [index, line] of value.split('\n').entries())
      prose.push({ kind: 'text', text: line, line: source.getLine(offset) + index, isFirst: index === 0 });
  };
  walk(source.program, (node) => {
    if (options.texts === 'test-names') {
      const [name] = isTestCall(node) ? (node.arguments as Node[]) : [];
      if (name?.type === 'Literal') addText(String(name.value), name.start);
      return;
    }
    for (const [value, offset] of findTexts(node)) if (isProse(value, options)) addText(value, offset);
  });
  return prose;
}

function findTexts(node: Node): [text: string, offset: number][] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [[node.value, node.start]] : [];
    case 'JSXText':
      return [[node.value as string, node.start]];
    case 'TemplateElement':
      return [[(node.value as { raw: string }).raw, node.start]];
    default:
      return [];
  }
}

/** Checks whether a text is prose: a sentence has three words, a label starts with a capital letter. */
function isProse(text: string, { texts }: ProseOptions): boolean {
  if (/^\s*<|[{};]\s*$/.test(text)) return false;
  return /[a-z,]\s+\S+\s+\S/.test(text) || (texts === 'labels' && /^\s*[A-Z][a-z-]/.test(text));
}

function isTestCall({ type, callee }: Node): boolean {
  return type === 'CallExpression' && /^(it|test|describe|suite)$/.test(String((callee as Node).name));
}

function findCommentLines({ kind, text, start }: Comment, getLine: (offset: number) => number): Prose[] {
  const lines = text.split('\n').map((line) => line.replace(/^[*\s]+/, '').trim());
  const first = lines.findIndex((line) => line !== '');
  return lines.map((line, index) => ({
    kind: kind === 'doc' ? 'doc' : 'comment',
    text: stripCode(line),
    line: getLine(start) + index,
    isFirst: index === first,
  }));
}

function findMarkdown(text: string): Prose[] {
  const blank = (match: string): string => match.replace(/[^\n]/g, ' ');
  const sentences = text
    .replace(/^(```|~~~)[^]*?^\1/gm, blank)
    .replace(/<!--[^]*?-->/g, blank)
    .replace(/\]\([^)]*\)/g, blank);
  const getLine = createLineIndex(sentences);
  return [...sentences.matchAll(/^.*$/gm)].map(({ 0: line, index }) => ({
    kind: 'markdown',
    text: stripCode(line),
    line: getLine(index),
    isFirst: false,
  }));
}

/** Replaces code and URLs by text that no pattern matches. */
function stripCode(text: string): string {
  return text.replace(/`[^`]*`/g, '`…`').replace(/\bhttps?:\/\/\S+/g, '…');
}
