import { findParent } from '../../src/email/domain/domain-facts.ts';
import type { ListInputs } from './build-domain-lists.ts';
import type { Judgment } from './judge-name.ts';

/** The public lists of disposable domains, by the names that the documents use. */
export function listPublicLists({
  disposablePackage,
  sources,
}: ListInputs): Map<string, ReadonlySet<string>> {
  return new Map([
    ['disposable-email-domains', new Set(disposablePackage.map((name) => name.toLowerCase()))],
    ['disposable/disposable', sources.disposable],
    ['wesbos/burner-email-providers', sources.wesbos],
    ['FGRibreau/mailchecker', sources.mailchecker],
    ['ivolo/disposable-email-domains', sources.ivolo],
    ['amieiro/disposable-email-domains', sources.amieiro],
  ]);
}

/** Lists the names that at least two of the public lists have, copies included. */
export function listSharedNames(inputs: ListInputs): string[] {
  const lists = [...listPublicLists(inputs).values()];
  const names = new Set(lists.flatMap((list) => [...list]));
  return [...names].filter((name) => lists.filter((list) => list.has(name)).length > 1);
}

/** Formats how much of each public list is listed, and the number of names with each judgment. */
export function formatCoverage(inputs: ListInputs, judgments: ReadonlyMap<string, Judgment>): string {
  const isCovered = (name: string) =>
    findParent(name, (one) => /^(?:own|voted|corroborated)$/.test(judgments.get(one) ?? '')) !== null;
  const rows = [...listPublicLists(inputs), ['two or more of them', listSharedNames(inputs)] as const];
  const lines = rows.map(([name, entries]) => {
    const all = [...entries];
    const covered = all.filter(isCovered).length;
    return `| ${name} | ${all.length} | ${((100 * covered) / all.length).toFixed(1)} % |`;
  });
  const counts = Object.entries(Object.groupBy(judgments.values(), (judgment) => judgment))
    .map(([judgment, names]) => `${judgment} ${names.length}`)
    .join(', ');
  return [`| list | names | listed |`, `|---|---|---|`, ...lines, '', counts].join('\n');
}
