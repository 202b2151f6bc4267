export const TREE: string;
export const KEY_FILE: string;
export const TREE_SOURCES: string[];
export function isTreeFile(name: string): boolean;
export function computeTreeKey(root: string): string;
export function listFiles(root: string, paths: readonly string[], excluded?: ReadonlySet<string>): string[];
export function inspectTree(root: string): 'none' | 'current' | 'stale';
