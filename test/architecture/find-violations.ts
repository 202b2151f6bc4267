/** Compares files of `src/` with the rules: imports, packages, globals, and cycles between files. */
import { builtinModules } from 'node:module';
import { findGlobals } from '../../scripts/source/find-globals.ts';
import { findImports, type Import } from '../../scripts/source/find-imports.ts';
import { parseSource } from '../../scripts/source/syntax-tree.ts';
import { ALL, IMPURE_USES, type ModuleRule, PURE_GLOBALS, RULES, TYPES } from './rules.ts';

/** The rules that a file can break. */
export type RuleName =
  | 'unknown-module'
  | 'module-import'
  | 'type-only-module'
  | 'reaches-inside'
  | 'unknown-name'
  | 'computed-import'
  | 'package'
  | 'type-only-package'
  | 'package-export'
  | 'global'
  | 'clock'
  | 'import-cycle';

export interface Violation {
  /** Relative to `src/`. */
  path: string;
  line: number;
  rule: RuleName;
  message: string;
}

/** The files to check: texts by path relative to `src/`, and `imports` of package.json. */
export interface Tree {
  files: ReadonlyMap<string, string>;
  names: Readonly<Record<string, string>>;
}

/** Formats a violation as `src/path:line [rule] message`. */
export function formatViolation({ path, line, rule, message }: Violation): string {
  return `src/${path}:${line} [${rule}] ${message}`;
}

/** Returns the module of a file: the first folder of its path, or its name at the root of `src/`. */
export function getModule(path: string): string {
  return path.replace(/[./].*$/, '');
}

/** The imports of a file, and its uses of globals. */
export interface Uses {
  imports: Import[];
  globals: ReturnType<typeof findGlobals>;
}

const usesOf = new WeakMap<Tree, Map<string, Uses>>();

/** Returns the uses of each file of a tree, which is parsed once. */
export function findUses(tree: Tree): ReadonlyMap<string, Uses> {
  const known = usesOf.get(tree);
  if (known) return known;
  const uses = new Map<string, Uses>();
  for (const [path, text] of tree.files) {
    const source = parseSource(path, text);
    uses.set(path, { imports: findImports(source), globals: findGlobals(source) });
  }
  usesOf.set(tree, uses);
  return uses;
}

/** Returns all violations of a tree, sorted by path and line. */
export function findViolations(tree: Tree): Violation[] {
  const imports = new Map<string, Import[]>();
  const violations: Violation[] = [];
  for (const [path, { imports: found, globals }] of findUses(tree)) {
    imports.set(path, found);
    const rule = RULES[getModule(path)];
    if (rule === undefined) {
      const message = `${getModule(path)} has no row: add one to test/architecture/rules.ts`;
      violations.push({ path, line: 1, rule: 'unknown-module', message });
      continue;
    }
    for (const one of found) violations.push(...checkImport(tree, path, rule, one));
    for (const { base, use, line } of globals) {
      if (isAllowedGlobal(rule, base, use)) continue;
      violations.push({ path, line, ...describeGlobal(getModule(path), base, use) });
    }
  }
  violations.push(...findCycles(tree, imports));
  return violations.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

function checkImport(tree: Tree, path: string, rule: ModuleRule, one: Import): Violation[] {
  const { specifier, line, isType } = one;
  const from = getModule(path);
  const fail = (name: RuleName, message: string): Violation[] => [{ path, line, rule: name, message }];
  if (specifier === null)
    return fail('computed-import', 'imports a computed path: name the module literally');
  if (isBuiltin(specifier) || /^[\w@]/.test(specifier)) return checkPackage(path, rule, one, specifier);
  // Data beside the file, with its types.
  if (/^\.\/[\w-]+\.json$/.test(specifier)) return [];
  const target = resolve(tree, path, specifier);
  if (target === null)
    return fail('unknown-name', `imports ${specifier}: no module of src/ and no name in package.json`);
  const to = getModule(target);
  // A file at the root is a module that is imported by its path. All others are imported by name.
  if (from !== to && !specifier.startsWith('#') && target.includes('/'))
    return fail('reaches-inside', `imports ${specifier}, inside ${to}: import #${to}`);
  if (from === to && specifier.startsWith('#') && !specifier.slice(1).includes('/'))
    return fail('module-import', `imports ${specifier}, its own interface: import the file`);
  if (from !== to && !specifier.startsWith('#') && path.includes('/'))
    return fail('reaches-inside', `imports ${specifier}, outside its folder: import #${to}`);
  if (from === to || rule.modules === ALL || rule.modules.includes(to)) return [];
  if (rule.typesOf?.includes(to))
    return isType ? [] : fail('type-only-module', `imports #${to}, of which ${from} may import types only`);
  const allowed = [...rule.modules, ...(rule.typesOf ?? []).map((name) => `types of ${name}`)];
  return fail('module-import', `imports #${to}; ${from} may import: ${allowed.join(', ') || 'nothing'}`);
}

function checkPackage(path: string, rule: ModuleRule, one: Import, specifier: string): Violation[] {
  const { line, isType, names } = one;
  const from = getModule(path);
  const name = isBuiltin(specifier) ? specifier.replace(/^(node:)?/, 'node:') : specifier;
  const grant = Object.hasOwn(rule.packages ?? {}, name) ? rule.packages?.[name] : undefined;
  if (grant === undefined)
    return [
      { path, line, rule: 'package', message: `imports ${specifier}, which is not a package of ${from}` },
    ];
  if (grant === ALL || isType) return [];
  if (grant === TYPES) {
    const message = `imports ${specifier}, of which ${from} may import types only`;
    return [{ path, line, rule: 'type-only-package', message }];
  }
  return names
    .filter((export_) => !grant.includes(export_))
    .map((export_) => ({
      path,
      line,
      rule: 'package-export',
      message: `imports ${export_} of ${specifier}, of which ${from} may import: ${grant.join(', ')}`,
    }));
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** Returns the file that a specifier names, relative to `src/`; null if there is none. */
function resolve({ files, names }: Tree, path: string, specifier: string): string | null {
  const url = specifier.startsWith('#')
    ? names[specifier]?.replace(/^\.\/src\//, 'file:///')
    : URL.parse(specifier, `file:///src/${path}`)?.href.replace(/^file:\/\/\/src\//, 'file:///');
  const target = url?.startsWith('file:///') ? url.slice('file:///'.length) : undefined;
  return target !== undefined && files.has(target) ? target : null;
}

function isAllowedGlobal({ globals = [] }: ModuleRule, base: string, use: string): boolean {
  const name = use.replace(/^new |^instanceof |\(.*\)$/g, '');
  if (globals.includes(use) || globals.includes(name)) return true;
  // A grant of a whole global, such as `console`, includes its members.
  if (globals.includes(base) && !base.startsWith('process')) return true;
  return PURE_GLOBALS.has(base) && !IMPURE_USES.has(use);
}

function describeGlobal(from: string, base: string, use: string): Pick<Violation, 'rule' | 'message'> {
  if (base === 'Date') return { rule: 'clock', message: `reads the clock (${use}): take now as an argument` };
  return { rule: 'global', message: `uses the global ${use}, which is not among the globals of ${from}` };
}

/**
 * Returns one violation for each group of files that import one another in a cycle, at its first import.
 * Imports of types count.
 */
function findCycles(tree: Tree, imports: ReadonlyMap<string, Import[]>): Violation[] {
  const edges = new Map<string, { to: string; line: number }[]>();
  for (const [path, found] of imports) {
    const targets = found.flatMap(({ specifier, line }) => {
      const to = specifier === null || /^[\w@]/.test(specifier) ? null : resolve(tree, path, specifier);
      return to === null ? [] : [{ to, line }];
    });
    edges.set(path, targets);
  }
  const seen = new Set<string>();
  const violations: Violation[] = [];
  for (const path of [...edges.keys()].toSorted()) {
    if (seen.has(path)) continue;
    const cycle = findShortestCycle(path, edges);
    if (cycle === null) continue;
    for (const step of cycle) seen.add(step.path);
    const names = [...cycle.map((step) => `${step.path}:${step.line}`), path];
    const message = `imports itself in a cycle: ${names.join(' → ')}`;
    violations.push({ path, line: cycle[0]?.line ?? 1, rule: 'import-cycle', message });
  }
  return violations;
}

/** Finds the shortest path of imports from a file back to itself, breadth first; null if there is none. */
function findShortestCycle(
  start: string,
  edges: ReadonlyMap<string, { to: string; line: number }[]>,
): { path: string; line: number }[] | null {
  const ways = new Map<string, { path: string; line: number }[]>([[start, []]]);
  for (const [at, way] of ways) {
    for (const { to, line } of edges.get(at) ?? []) {
      const next = [...way, { path: at, line }];
      if (to === start) return next;
      if (!ways.has(to)) ways.set(to, next);
    }
  }
  return null;
}
