interface Machine {
  root: string;
  home: string;
  path: string;
}
export const MIN_MAJOR: number;
export function needsPackagedNode(machine?: { own?: string; platform?: string; arch?: string }): boolean;
export function findNode(machine?: Partial<Machine>): { path: string; version: string } | null;
export function setUpNode(options: {
  root: string;
  own?: string;
  log: (line: string) => void;
  machine?: Partial<Machine>;
}): void;
