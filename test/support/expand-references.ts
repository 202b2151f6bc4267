/** The references of an OpenAPI document. */

/**
 * Returns an OpenAPI document in which each reference to a component is replaced by the component. Throws if
 * there is none.
 */
export function expandReferences(source: string): unknown {
  const document: unknown = JSON.parse(source);
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...members } = value as Record<string, unknown>;
    const expanded = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, expand(member)]),
    );
    return typeof $ref === 'string' ? { ...(expand(find($ref)) as object), ...expanded } : expanded;
  };
  const find = (reference: string): unknown => {
    const found = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((parent, name) => (parent as Record<string, unknown> | undefined)?.[name], document);
    if (found === undefined) throw new Error(`The OpenAPI document has no ${reference}.`);
    return found;
  };
  return expand(document);
}
