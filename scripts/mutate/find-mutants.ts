/** Finds the small changes of a file that its tests should notice. */
import { getChildren, type Node, parseSource, type SourceFile } from '../source/syntax-tree.ts';

export type MutantKind = 'operator' | 'condition' | 'constant' | 'call';

/** One change of one file: the text from `start` to `end` becomes `replacement`. */
export interface Mutant {
  path: string;
  line: number;
  kind: MutantKind;
  start: number;
  end: number;
  /** The start of the expression or statement that changes: a test that executes it can notice the change. */
  place: number;
  replacement: string;
  /** For people: `a < b → a <= b`, in one line. */
  change: string;
}

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '++': '--',
  '--': '++',
};

/** Nodes that hold no code that runs, or whose literals are names. */
const SKIPPED = /^(TS(?!As|Satisfies|NonNull)|Import|ExportAll|Directive)/;
/** The members of nodes that name a property or another module. */
const NAMES = new Set(['key', 'source']);
/**
 * Integers up to this one are counts and positions, and become the next. Larger ones are limits, and become
 * 0.
 */
const MAX_COUNT = 16;
const MAX_SHOWN = 60;

/** Returns the mutants of a file, in the order of its text. */
export function findMutants(path: string, text: string): Mutant[] {
  const source = parseSource(path, text);
  const found: Mutant[] = [];
  visit(source.program, '');
  return found.toSorted((a, b) => a.start - b.start);

  function visit(node: Node, member: string): void {
    if (SKIPPED.test(node.type) || NAMES.has(member)) return;
    for (const [kind, target, replacement] of getChanges(source, node))
      found.push(createMutant(source, kind, node, target, replacement));
    for (const [child, name] of getChildren(node)) visit(child, name);
  }
}

type Change = [kind: MutantKind, target: { start: number; end: number }, replacement: string];

function getChanges(source: SourceFile, node: Node): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return changeOperator(source, node);
    case 'UpdateExpression': {
      const start = node.prefix === true ? node.start : node.end - 2;
      return [['operator', { start, end: start + 2 }, OPERATORS[node.operator as string] ?? '']];
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [['operator', { start: node.start, end: node.start + 1 }, '']] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return (['true', 'false'] as const).map((value) => ['condition', node.test as Node, value]);
    case 'WhileStatement':
    case 'ForStatement':
      return node.test === null ? [] : [['condition', node.test as Node, 'false']];
    case 'Literal':
      return changeConstant(node);
    case 'ExpressionStatement':
      return isCall(node.expression as Node) ? [['call', node, ';']] : [];
    default:
      return [];
  }
}

function changeOperator(source: SourceFile, node: Node): Change[] {
  const operator = node.operator as string;
  const replacement = OPERATORS[operator];
  const left = node.left as Node;
  const right = node.right as Node;
  // The sum of texts has no counterpart.
  if (replacement === undefined || (operator.startsWith('+') && [left, right].some(isText))) return [];
  const start = source.text.indexOf(operator, left.end);
  return [['operator', { start, end: start + operator.length }, replacement]];
}

/** Messages to people are left alone: no test has to hold their words. */
function changeConstant(node: Node): Change[] {
  const { value } = node;
  if (typeof value === 'boolean') return [['constant', node, String(!value)]];
  if (typeof value === 'number')
    return [['constant', node, String(Number.isInteger(value) && value <= MAX_COUNT ? value + 1 : 0)]];
  if (typeof value === 'string' && value !== '' && !value.includes(' ')) return [['constant', node, "''"]];
  return [];
}

function isText(node: Node): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left as Node) || isText(node.right as Node);
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function isCall(node: Node): boolean {
  if (node.type === 'AwaitExpression') return isCall(node.argument as Node);
  if (node.type === 'ChainExpression') return isCall(node.expression as Node);
  if (node.type === 'UnaryExpression' && node.operator === 'void') return isCall(node.argument as Node);
  return node.type === 'CallExpression' && (node.callee as Node).type !== 'Super';
}

function createMutant(
  { path, text, getLine }: SourceFile,
  kind: MutantKind,
  node: Node,
  { start, end }: { start: number; end: number },
  replacement: string,
): Mutant {
  const before = text.slice(node.start, node.end);
  const after = text.slice(node.start, start) + replacement + text.slice(end, node.end);
  const change = `${shorten(before, start - node.start)} → ${kind === 'call' ? 'removed' : shorten(after, start - node.start)}`;
  return { path, line: getLine(start), kind, start, end, place: node.start, replacement, change };
}

/** One line of at most MAX_SHOWN characters around the place of the change. */
function shorten(text: string, at: number): string {
  const start = Math.max(0, at - MAX_SHOWN / 2);
  const cut = text.slice(start, start + MAX_SHOWN).replace(/\s+/g, ' ');
  return `${start > 0 ? '…' : ''}${cut}${start + MAX_SHOWN < text.length ? '…' : ''}`;
}

/** Picks `count` of the mutants. The same seed picks the same ones of the same list. */
export function chooseMutants(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const random = createRandom(seed);
  const pool = [...mutants];
  for (let index = 0; index < Math.min(count, pool.length); index++) {
    const other = index + Math.floor(random() * (pool.length - index));
    [pool[index], pool[other]] = [pool[other] as Mutant, pool[index] as Mutant];
  }
  return pool.slice(0, count);
}

/** mulberry32: numbers from 0 to 1 from a 32-bit seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
