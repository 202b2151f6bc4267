import { RenderSlots, type RenderSlotsOptions } from '#browser';

export interface TestCaller {
  accountId: string;
}

export type TestSlots = RenderSlots<TestCaller>;

/** Options for the machine's browser with one slot. No render waits for it. */
const OPTIONS: RenderSlotsOptions<TestCaller> = {
  chromiumPath: process.env['CHROMIUM_PATH'] ?? null,
  chromiumCacheDir: null,
  requireSandbox: false,
  useNetworkNamespace: true,
  slots: 1,
  warmUp: () => Promise.resolve(),
  now: () => performance.now(),
  log: { info() {}, warn() {}, error() {} },
  withSlot: (_caller, signal, work) => work(signal ?? new AbortController().signal),
};

/** Opens one slot. */
export function openSlots(change: Partial<RenderSlotsOptions<TestCaller>> = {}): Promise<TestSlots> {
  return RenderSlots.open({ ...OPTIONS, ...change });
}
