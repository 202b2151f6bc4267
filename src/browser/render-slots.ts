import { BrowserKeeper, type BrowserKeeperOptions, type BrowserStatus } from './browser-keeper.ts';

/**
 * Waits for a slot and runs `work` while holding it. The signal given to `work` aborts with the caller's
 * signal, and with the client's error if the slot is needed by another account. Rejects with ApiError
 * `overloaded` or `rate_limit_exceeded`, with the signal's reason, and as `work` does.
 */
export type WithSlot<Caller> = <T>(
  caller: Caller,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  options?: SlotOptions,
) => Promise<T>;

export interface SlotOptions {
  /** The longest wait for the slot, in place of the usual one. */
  maxWaitMs?: number;
}

export interface RenderSlotsOptions<Caller> extends BrowserKeeperOptions {
  /** Gives each render its slot. */
  withSlot: WithSlot<Caller>;
}

/** One browser for the renders of all operations, which share its slots. */
export class RenderSlots<Caller> extends BrowserKeeper {
  readonly #options: RenderSlotsOptions<Caller>;
  #queued = 0;
  #busy = 0;

  private constructor(options: RenderSlotsOptions<Caller>) {
    super(options);
    this.#options = options;
  }

  /** Starts a browser. If none starts, the status says why, and later renders try again. */
  static async open<Caller>(options: RenderSlotsOptions<Caller>): Promise<RenderSlots<Caller>> {
    const slots = new RenderSlots(options);
    await slots.start();
    return slots;
  }

  /** Waits for a slot, and runs `work` with the browser. Rejects as WithSlot and `work` do. */
  async run<T>(
    caller: Caller,
    signal: AbortSignal | undefined,
    work: (keeper: BrowserKeeper, signal: AbortSignal) => Promise<T>,
    options?: SlotOptions,
  ): Promise<T> {
    let isQueued = true;
    this.#queued += 1;
    const start = async (held: AbortSignal): Promise<T> => {
      isQueued = false;
      this.#queued -= 1;
      this.#busy += 1;
      try {
        return await work(this, held);
      } finally {
        this.#busy -= 1;
        if (this.#queued === 0) this.refill({ isIdle: this.#busy === 0 });
      }
    };
    try {
      return await this.#options.withSlot(caller, signal, start, options);
    } finally {
      if (isQueued) this.#queued -= 1;
    }
  }

  /** Adds the renders in progress (`busy`), and those that wait for a slot (`queued`). */
  override status(): BrowserStatus & { busy: number; queued: number; slots: number } {
    const { slots } = this.#options;
    return { ...super.status(), busy: this.#busy, queued: this.#queued, slots };
  }
}
