/** The syntax tree of a TypeScript or JavaScript file, with its comments and line numbers. */
import { parseSync } from 'oxc-parser';

/** A node of the ESTree (with TypeScript's own nodes) that oxc-parser returns. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

export interface Comment {
  /** A block comment that starts with `/**`, or another block comment, or a line comment. */
  kind: 'doc' | 'block' | 'line';
  /** Without its delimiters. */
  text: string;
  start: number;
  end: number;
}

export interface SourceFile {
  /** As given to parseSource. */
  path: string;
  text: string;
  program: Node;
  comments: Comment[];
  /** Returns the 1-based line of an offset. */
  getLine(offset: number): number;
}

/**
 * Parses `text` in the dialect that the extension of `path` names. Throws an Error with the path if it is
 * invalid.
 */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return {
    path,
    text,
    program: program as unknown as Node,
    comments: comments.map(({ type, value, start, end }) => ({
      kind: type === 'Line' ? 'line' : value.startsWith('*') ? 'doc' : 'block',
      text: value,
      start,
      end,
    })),
    getLine: createLineIndex(text),
  };
}

/** Returns a function from an offset in `text` to its 1-based line. */
export function createLineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Yields the child nodes of `node`, each with the name of its member, in the order of the members. */
export function* getChildren(node: Node): Generator<[child: Node, member: string]> {
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield [child, member];
  }
}

/** Calls `visit` for `node` and all nodes below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const [child] of getChildren(node)) walk(child, visit);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Returns the text of a string literal or of a template without expressions; null for other nodes. */
export function getLiteralText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || (node.expressions as Node[]).length > 0) return null;
  const [quasi] = node.quasis as (Node & { value: { cooked: string | null } })[];
  return quasi?.value.cooked ?? null;
}
