export interface LockedPackage {
  version?: string;
  name?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  dependencies?: Record<string, string>;
}
export type Lock = Record<string, LockedPackage>;
export function installPackages(options: {
  root: string;
  workspaces: readonly string[];
  log: (line: string) => void;
}): Promise<void>;
export function listNeeded(lock: Lock, workspaces: readonly string[]): string[];
