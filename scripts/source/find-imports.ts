import { getLiteralText, type Node, type SourceFile, walk } from './syntax-tree.ts';

/** A reference from a file to another module. */
export interface Import {
  /** As written; null if the argument of `import()` is computed. */
  specifier: string | null;
  /** True if it is erased at run time: `import type`, `export type`, or a type `import('…')`. */
  isType: boolean;
  /** The exports that it takes at run time; `*` for all of them. */
  names: string[];
  line: number;
}

/**
 * Returns the imports of a file: static, dynamic and type imports, re-exports, `import('…')` types,
 * `require`, `import.meta.resolve`, and scripts named by `new URL('….ts', import.meta.url)` (the entry of a
 * worker).
 */
export function findImports(source: SourceFile): Import[] {
  const found: Import[] = [];
  walk(source.program, (node) => {
    const named = findSpecifier(node);
    if (named === undefined) return;
    found.push({
      specifier: getLiteralText(named),
      isType: isTypeImport(node),
      names: findNames(node),
      line: source.getLine(node.start),
    });
  });
  return found;
}

/** Finds the node that names the module: null if it is missing, undefined if `node` imports nothing. */
function findSpecifier(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source === null ? undefined : (node.source as Node | undefined);
    case 'TSExternalModuleReference':
      return node.expression as Node;
    case 'CallExpression':
      return isRequire(node.callee as Node) ? ((node.arguments as Node[])[0] ?? null) : undefined;
    case 'NewExpression':
      return findScriptUrl(node);
    default:
      return undefined;
  }
}

function isTypeImport(node: Node): boolean {
  if (node.type === 'TSImportType') return true;
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const specifiers = (node.specifiers ?? []) as Node[];
  return specifiers.length > 0 && !specifiers.some(isValue);
}

function isValue({ importKind, exportKind }: Node): boolean {
  return importKind !== 'type' && exportKind !== 'type';
}

/** Lists the names that an import or re-export takes from the other module at run time. */
function findNames(node: Node): string[] {
  if (isTypeImport(node)) return [];
  const specifiers = node.specifiers as Node[] | undefined;
  if (specifiers === undefined) return ['*'];
  return specifiers.filter(isValue).map((specifier) => {
    if (specifier.type === 'ImportNamespaceSpecifier') return '*';
    if (specifier.type === 'ImportDefaultSpecifier') return 'default';
    const name = (specifier.imported ?? specifier.local) as Node;
    return (name.name ?? name.value) as string;
  });
}

function isRequire(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'require';
  return (
    callee.type === 'MemberExpression' &&
    (callee.object as Node).type === 'MetaProperty' &&
    (callee.property as Node).name === 'resolve'
  );
}

function findScriptUrl(node: Node): Node | undefined {
  const [path, base] = node.arguments as Node[];
  if ((node.callee as Node).name !== 'URL' || path === undefined || base?.type !== 'MemberExpression')
    return undefined;
  return /\.[cm]?[jt]sx?$/.test(getLiteralText(path) ?? '') ? path : undefined;
}
