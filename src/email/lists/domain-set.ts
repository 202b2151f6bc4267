/** A set of domains, as A-labels in lower case. */
export interface DomainSet {
  has(domain: string): boolean;
}

export const NO_DOMAINS: DomainSet = new Set<string>();

/** Unites sets without a copy: a union of large lists would block the event loop and double their memory. */
export function uniteSets(sets: readonly DomainSet[]): DomainSet {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  return { has: (domain) => sets.some((set) => set.has(domain)) };
}
