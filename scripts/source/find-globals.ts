import { getChildren, isNode, type Node, type SourceFile } from './syntax-tree.ts';

/** One use of a name that the file does not declare. */
export interface GlobalUse {
  /** The name, as in `Date`. */
  base: string;
  /**
   * The name and its use: `Date.now`, `process[…]`, `new Date()` (no arguments), `fetch()`, or the name
   * alone.
   */
  use: string;
  line: number;
}

/**
 * Returns the uses of globals in the code of a file, without types and without names that a scope declares.
 */
export function findGlobals(source: SourceFile): GlobalUse[] {
  const found: GlobalUse[] = [];
  visit(source.program, null, '', [listDeclared(source.program)]);
  return found;

  function visit(node: Node, parent: Node | null, member: string, scopes: Set<string>[]): void {
    if (isType(node)) return;
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const name = node.name as string;
      if (!isReference(member, parent) || scopes.some((scope) => scope.has(name))) return;
      found.push({ base: name, use: describeUse(name, node, parent), line: source.getLine(node.start) });
      return;
    }
    const inner = opensScope(node) ? [...scopes, listDeclared(node)] : scopes;
    for (const [child, name] of getChildren(node)) visit(child, node, name, inner);
  }
}

/** Checks whether a node is a type: all nodes of TypeScript are, except those that wrap an expression. */
function isType({ type, declare: isAmbient, importKind }: Node): boolean {
  if (isAmbient === true || importKind === 'type') return true;
  return type.startsWith('TS') && !WRAPPERS.has(type);
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSExportAssignment',
]);

/** Checks whether an identifier refers to a variable, and does not name a member, a label or an export. */
function isReference(member: string, parent: Node | null): boolean {
  if (parent === null) return true;
  switch (parent.type) {
    case 'MemberExpression':
      return member === 'object' || parent.computed === true;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return member === 'value' || parent.computed === true;
    case 'ExportSpecifier':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ExportAllDeclaration':
    case 'ImportAttribute':
    case 'MetaProperty':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'JSXAttribute':
    case 'JSXMemberExpression':
    case 'JSXOpeningElement':
    case 'JSXClosingElement':
      return false;
    default:
      return true;
  }
}

function describeUse(name: string, node: Node, parent: Node | null): string {
  if (parent?.type === 'MemberExpression' && parent.object === node) {
    const property = parent.property as Node;
    if (parent.computed !== true) return `${name}.${property.name as string}`;
    return property.type === 'Literal' ? `${name}.${String(property.value)}` : `${name}[…]`;
  }
  if (parent?.type === 'NewExpression' && parent.callee === node)
    return (parent.arguments as Node[]).length === 0 ? `new ${name}()` : `new ${name}(…)`;
  if (parent?.type === 'CallExpression' && parent.callee === node) return `${name}()`;
  if (parent?.type === 'BinaryExpression' && parent.operator === 'instanceof') return `instanceof ${name}`;
  return name;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const BLOCKS = new Set([
  'BlockStatement',
  'StaticBlock',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'ClassDeclaration',
  'ClassExpression',
]);

function opensScope({ type }: Node): boolean {
  return FUNCTIONS.has(type) || BLOCKS.has(type);
}

/** Lists the names that a scope declares for all code inside it. */
function listDeclared(scope: Node): Set<string> {
  const names = new Set<string>();
  if (isNode(scope.id)) addPattern(scope.id, names);
  if (FUNCTIONS.has(scope.type)) {
    names.add('arguments');
    for (const param of scope.params as Node[]) addPattern(param, names);
    addVars(scope.body as Node, names);
    return names;
  }
  if (scope.type === 'Program') addVars(scope, names);
  if (isNode(scope.param)) addPattern(scope.param, names);
  const statements = [scope.body, scope.init, scope.left, scope.cases].flat().filter(isNode);
  for (const statement of statements) {
    if (statement.type === 'SwitchCase')
      for (const inner of statement.consequent as Node[]) addStatement(inner, names);
    else addStatement(statement, names);
  }
  return names;
}

/** Adds the names that one statement declares in its own block. */
function addStatement(statement: Node, names: Set<string>): void {
  const node = isNode(statement.declaration) ? statement.declaration : statement;
  if (node.type === 'ImportDeclaration')
    for (const { local } of node.specifiers as { local: Node }[]) addPattern(local, names);
  if (node.type === 'VariableDeclaration')
    for (const { id } of node.declarations as { id: Node }[]) addPattern(id, names);
  else if (/^(Function|Class|TSEnum|TSModule|TSImportEquals)|^TSDeclareFunction$/.test(node.type))
    if (isNode(node.id) && node.type !== 'ClassExpression') addPattern(node.id, names);
}

/** Adds the `var`s below a node, except those of other functions. */
function addVars(node: Node, names: Set<string>): void {
  if (node.type === 'VariableDeclaration' && node.kind === 'var')
    for (const { id } of node.declarations as { id: Node }[]) addPattern(id, names);
  for (const [child] of getChildren(node)) if (!FUNCTIONS.has(child.type)) addVars(child, names);
}

/** Adds the names that a pattern binds. */
function addPattern(pattern: Node, names: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      names.add(pattern.name as string);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties as Node[])
        addPattern((property.type === 'RestElement' ? property : property.value) as Node, names);
      return;
    case 'ArrayPattern':
      for (const element of pattern.elements as (Node | null)[]) if (element) addPattern(element, names);
      return;
    case 'AssignmentPattern':
      addPattern(pattern.left as Node, names);
      return;
    case 'RestElement':
      addPattern(pattern.argument as Node, names);
      return;
    case 'TSParameterProperty':
      addPattern(pattern.parameter as Node, names);
      return;
    default:
  }
}
