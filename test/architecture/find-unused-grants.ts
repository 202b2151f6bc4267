/** Finds grants of the rules that no file of the module uses. */
import { findUses, getModule, type Tree } from './find-violations.ts';
import { RULES } from './rules.ts';

/** Globals that rows grant as a group. */
const GROUPS = /^(set|clear)(Timeout|Interval|Immediate)$/;

/**
 * Returns a line for each package and global that is granted to a module and that it does not use. Imports of
 * other modules may be unused.
 */
export function findUnusedGrants(tree: Tree): string[] {
  const used = new Map<string, Set<string>>();
  for (const [path, { imports, globals }] of findUses(tree)) {
    const names = used.get(getModule(path)) ?? new Set();
    used.set(getModule(path), names);
    for (const { specifier, names: exports } of imports) {
      if (specifier === null) continue;
      names.add(specifier);
      for (const name of exports) names.add(`${specifier} ${name}`);
    }
    for (const { base, use } of globals) names.add(base).add(use.replace(/\(.*\)$/, ''));
  }
  return Object.entries(RULES).flatMap(([module, { packages = {}, globals = [] }]) => {
    if (!used.has(module)) return [`${module}: no file of src/ belongs to it`];
    const isUsed = (grant: string): boolean => used.get(module)?.has(grant) === true;
    const grants = Object.entries(packages).flatMap(([name, grant]) =>
      typeof grant === 'string' ? [name] : grant.map((export_) => `${name} ${export_}`),
    );
    return [...grants, ...globals.filter((name) => !GROUPS.test(name))]
      .filter((grant) => !isUsed(grant))
      .map((grant) => `${module}: ${grant}`);
  });
}
