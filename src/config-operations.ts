/** Parses OPERATIONS: which operations a process serves. */
import { parseList } from './config-values.ts';

const NAMES = ['email', 'metadata', 'pdf'] as const;

/** An operation with its batch, by the name that OPERATIONS gives it. */
export type ServedOperation = (typeof NAMES)[number];

/** Parses names of operations, each at most once and at least one. */
export function parseOperations(text: string): ReadonlySet<ServedOperation> {
  const served = new Set<ServedOperation>();
  for (const part of parseList(text)) {
    const name = NAMES.find((candidate) => candidate === part);
    if (name === undefined)
      throw new Error(
        `must be a comma-separated list of ${NAMES.join(', ')}; «${part.replace(/\s+/g, ' ').slice(0, 60)}» is not one of them`,
      );
    if (served.has(name)) throw new Error(`names ${name} twice; write each operation once`);
    served.add(name);
  }
  if (served.size === 0)
    throw new Error(
      `names no operation; write one or more of ${NAMES.join(', ')}, or leave it unset for all`,
    );
  return served;
}
