import type { QuotaMonth } from './quota-store.ts';

/** The age at which the total of an account that has not been used meanwhile is loaded again. */
const FRESH_MS = 3_000;

/** The units of one account in the current month, as this process knows them. */
export class AccountUnits {
  readonly accountId: string;
  quota = Infinity;
  usedAtMs = 0;
  loadedAtMs = -Infinity;
  /** The load that requests wait for; null if there is none. */
  loading: Promise<void> | null = null;
  /** The percentages whose notices need no further claim in this month. */
  readonly claimed = new Set<number>();
  #monthStartMs = -1;
  /** Stored by all replicas, at the last load, and by this process since then. */
  #stored = 0;
  /** Of requests that have ended and are being written. */
  #writing = 0;
  /** Of requests that have ended since the last write began. */
  #recorded = 0;
  /** Of requests in progress. */
  #inFlight = 0;
  /** The same of requests that began before the last call of `ageInFlight`. */
  #inFlightBefore = 0;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  get used(): number {
    return this.#stored + this.#writing + this.#recorded + this.#inFlight + this.#inFlightBefore;
  }

  get stored(): number {
    return this.#stored;
  }

  get monthStartMs(): number {
    return this.#monthStartMs;
  }

  /** Begins another month with the units of requests in progress only, which end in that month. */
  enter({ startMs }: QuotaMonth, nowMs: number): void {
    if (startMs === this.#monthStartMs) return;
    // Of the first month the total is not known.
    if (this.#monthStartMs !== -1) this.loadedAtMs = nowMs;
    this.#monthStartMs = startMs;
    this.#stored = this.#writing = this.#recorded = 0;
    this.claimed.clear();
  }

  /**
   * Checks if the total is recent. Units that are not written would count twice after a load beside a write,
   * so that the total then has to do.
   */
  isFresh(nowMs: number): boolean {
    return nowMs - this.loadedAtMs < FRESH_MS || this.#recorded + this.#writing > 0;
  }

  /** Counts units of a request that begins. */
  begin(units: number): void {
    this.#inFlight += units;
  }

  /** Removes units of a request that began, from the newest: what is left over expires. */
  end(units: number): void {
    const newest = Math.min(units, this.#inFlight);
    this.#inFlight -= newest;
    this.#inFlightBefore = Math.max(0, this.#inFlightBefore - (units - newest));
  }

  /** Counts units of a request that has ended. */
  record(units: number): void {
    this.end(units);
    this.#recorded += units;
  }

  beginWrite(): void {
    this.#writing += this.#recorded;
    this.#recorded = 0;
  }

  endWrite(): void {
    this.#stored += this.#writing;
    this.#writing = 0;
  }

  /** Sets the total of a month. Ignores a month that is over. */
  load(stored: number, monthStartMs: number, nowMs: number): void {
    if (monthStartMs !== this.#monthStartMs) return;
    this.#stored = stored;
    this.loadedAtMs = nowMs;
  }

  /** Drops units of requests that began two calls ago: their end was not reported. */
  ageInFlight(): void {
    this.#inFlightBefore = this.#inFlight;
    this.#inFlight = 0;
  }
}
