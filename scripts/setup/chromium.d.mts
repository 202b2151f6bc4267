export function setUpChromium(options: {
  log: (line: string) => void;
  machine?: { platform?: string; arch?: string; home?: string; root?: string };
}): Promise<{ path: string; source: 'CHROMIUM_PATH' | 'installed' | 'npm' }>;
