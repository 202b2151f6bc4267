/** The blocks of all pages by their treatment. */
import { findRow, type Treatment } from './block-table.ts';
import { type Block, findBlocks, findPages } from './markdown.ts';

type Kind = Treatment['kind'];

export const BLOCKS: readonly Block[] = findPages().flatMap((page) => findBlocks(page));

/** Returns the blocks with a treatment of this kind, with it. */
export function listBlocks<K extends Kind>(kind: K): [Block, Extract<Treatment, { kind: K }>][] {
  return BLOCKS.flatMap((block) => {
    const treatment = findRow(block)?.treatment;
    return treatment?.kind === kind ? [[block, treatment as Extract<Treatment, { kind: K }>]] : [];
  });
}

/** Formats the place of a block. */
export function formatPlace({ path, line }: Block): string {
  return `${path}:${line}`;
}
