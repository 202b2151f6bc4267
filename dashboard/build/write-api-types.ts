/**
 * Writes dashboard/src/api/routes.gen.ts: the request and response types of every route under /account, as
 * the compiler infers them from the TypeBox schemas and handlers of src/http/account. A test fails when the
 * file is out of date. Run it with `node_modules/.bin/node dashboard/build/write-api-types.ts`.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallExpression, Expression, Node } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isFunctionExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROUTES = join(ROOT, 'src/http/account');
const PREFIX = '/account';
const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete']);
const MAX_LINE = 110;

/** The generated file. */
export const API_TYPES_FILE = join(ROOT, 'dashboard/src/api/routes.gen.ts');

interface Route {
  name: string;
  request: string | null;
  response: string | null;
}

/** Returns the text of the generated file. Throws if no route or no schema is found. */
export function formatApiTypes(): string {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error('tsconfig.json holds no project.');
    const routes = listRoutes(project).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    if (!routes.some(({ request }) => request) || !routes.some(({ response }) => response))
      throw new Error(`No routes with schemas were found in ${ROUTES}.`);
    return formatFile(routes);
  } finally {
    api.close();
  }
}

function listRoutes(project: Project): Route[] {
  const files = readdirSync(ROUTES).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return files.flatMap((file) => {
    const source = project.program.getSourceFile(join(ROUTES, file));
    if (!source) throw new Error(`${file} is not part of tsconfig.json.`);
    return listCalls(source).flatMap((call) => describeRoute(project, call) ?? []);
  });
}

function listCalls(node: Node): CallExpression[] {
  const calls = isCallExpression(node) ? [node] : [];
  node.forEachChild((child) => void calls.push(...listCalls(child)));
  return calls;
}

/** Returns the route that a call like `scope.get('/plan', …)` registers, or null for any other call. */
function describeRoute({ checker }: Project, call: CallExpression): Route | null {
  const { expression: callee, arguments: given } = call;
  const [path] = given;
  if (!path || !isStringLiteral(path) || !isPropertyAccessExpression(callee)) return null;
  if (!METHODS.has(callee.name.text) || symbolName(checker, callee.expression) !== 'FastifyInstance')
    return null;
  const handler = findHandler(given.at(-1));
  if (!handler) throw new Error(`The handler of ${path.text} is not a function in its place.`);
  return {
    name: `${callee.name.text.toUpperCase()} ${PREFIX}${path.text === '/' ? '' : path.text}`,
    request: describeRequest(checker, handler),
    response: describeResponse(checker, handler),
  };
}

function findHandler(argument: Expression | undefined): Node | null {
  if (!argument) return null;
  if (isArrowFunction(argument) || isFunctionExpression(argument)) return argument;
  if (!isObjectLiteralExpression(argument)) return null;
  for (const member of argument.properties)
    if (isPropertyAssignment(member) && isIdentifier(member.name) && member.name.text === 'handler')
      return findHandler(member.initializer);
  return null;
}

/** Returns the type that the handler's body schema checks, or null if it takes no body. */
function describeRequest(checker: Checker, handler: Node): string | null {
  for (const call of listCalls(handler)) {
    const symbol = isIdentifier(call.expression) && checker.getSymbolAtLocation(call.expression);
    const declaration = symbol ? symbol.valueDeclaration?.resolve() : undefined;
    if (!declaration || !isVariableDeclaration(declaration)) continue;
    const maker = declaration.initializer;
    if (!maker || !isCallExpression(maker) || !isIdentifier(maker.expression)) continue;
    if (!/^createBody(?:Reader|Parser)$/.test(maker.expression.text)) continue;
    return formatType(checker, typeOf(checker, call));
  }
  return null;
}

/** Returns the type that the handler returns or sends, or null if it sends no JSON. */
function describeResponse(checker: Checker, handler: Node): string | null {
  const [signature] = checker.getSignaturesOfType(typeOf(checker, handler), 0);
  const returned = signature && checker.getReturnTypeOfSignature(signature);
  if (!returned) return null;
  const [awaited = returned] =
    symbolOf(returned) === 'Promise' && returned.isTypeReference() ? checker.getTypeArguments(returned) : [];
  if (isJsonObject(awaited)) return formatType(checker, awaited);
  for (const { expression: callee, arguments: given } of listCalls(handler)) {
    if (!isPropertyAccessExpression(callee) || callee.name.text !== 'send' || !given[0]) continue;
    const sent = typeOf(checker, given[0]);
    return isJsonObject(sent) ? formatType(checker, sent) : null;
  }
  return null;
}

function isJsonObject(type: Type): boolean {
  return (type.isObjectType() || type.isIntersectionType()) && symbolOf(type) !== 'FastifyReply';
}

function typeOf(checker: Checker, node: Node): Type {
  const type = checker.getTypeAtLocation(node);
  if (!type || type.isErrorType()) throw new Error(`No type for: ${node.getText().slice(0, 80)}`);
  return type;
}

function symbolName(checker: Checker, node: Node): string | undefined {
  return symbolOf(typeOf(checker, node));
}

function symbolOf(type: Type): string | undefined {
  return type.getSymbol()?.name;
}

/** Returns the type as JSON carries it: every alias is resolved, nothing is readonly. */
function formatType(checker: Checker, type: Type, indent = '    '): string {
  if (type.flags & TypeFlags.Boolean) return 'boolean';
  if (type.isStringLiteralType()) return `'${type.value}'`;
  if (type.isLiteralType()) return String(type.value);
  if (type.isIntrinsicType() && type.intrinsicName !== 'object') return type.intrinsicName;
  if (type.isUnionType()) return formatUnion(checker, type.getTypes(), indent);
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [element] = checker.getTypeArguments(type);
    const text = element ? formatType(checker, element, indent) : 'unknown';
    return /^[\w{]+$/.test(text) || text.startsWith('{') ? `${text}[]` : `(${text})[]`;
  }
  const inner = `${indent}  `;
  const members = checker.getPropertiesOfType(type).map((property) => {
    const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
    const declared = checker.getTypeOfSymbol(property);
    if (!declared) throw new Error(`No type for the member ${property.name}.`);
    const text = formatType(checker, declared, inner);
    return `${inner}${property.name}${isOptional ? '?' : ''}:${text.startsWith('\n') ? '' : ' '}${text};\n`;
  });
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`;
}

function formatUnion(checker: Checker, types: readonly Type[], indent: string): string {
  const isBoolean = types.filter((type) => type.flags & TypeFlags.BooleanLiteral).length === 2;
  const parts = types
    // JSON has no undefined: such a member is left out, and its name has a question mark.
    .filter(({ flags }) => !(flags & TypeFlags.Undefined) && !(isBoolean && flags & TypeFlags.BooleanLiteral))
    .map((type) => formatType(checker, type, indent));
  if (isBoolean) parts.push('boolean');
  const ordered = [...new Set(parts)].toSorted(
    (one, other) => Number(one === 'null') - Number(other === 'null'),
  );
  const line = ordered.join(' | ');
  if (line.includes('\n') || indent.length + line.length < MAX_LINE) return line;
  return ordered.map((part) => `\n${indent}  | ${part}`).join('');
}

function formatFile(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ name, request, response }) =>
      `  '${name}': {\n    request: ${request ?? 'null'};\n    response: ${response ?? 'null'};\n  };\n`,
  );
  return `/** Generated by dashboard/build/write-api-types.ts from the routes of src/http/account. Do not edit. */

/** The JSON that each route takes and responds with, by method and path. Null stands for no JSON. */
export interface AccountRoutes {
${rows.join('')}}
`;
}

if (import.meta.main) writeFileSync(API_TYPES_FILE, formatApiTypes());
