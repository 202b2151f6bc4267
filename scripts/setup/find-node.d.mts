interface Machine {
  root: string;
  home: string;
  path: string;
  platform: string;
  arch: string;
}
export const MIN_MAJOR: number;
export function findNode(machine?: Partial<Machine>): { path: string; version: string } | null;
export function setUpNode(options: {
  root: string;
  packages?: Promise<void>;
  own?: string;
  program?: string;
  log: (line: string) => void;
  machine?: Partial<Machine>;
}): Promise<void>;
