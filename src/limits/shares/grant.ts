import type { AccountUse, Holding } from './account-use.ts';
import type { OnReclaim, Place } from './shares.ts';

/** The pool that a grant belongs to. */
interface GrantPool {
  resize(grant: Holding, amount: number): void;
  release(grant: Holding): void;
}

/** Places of a pool that one request holds. */
export class Grant implements Place, Holding {
  readonly account: AccountUse;
  readonly startedAtMs: number;
  readonly onReclaim: OnReclaim | undefined;
  amount: number;
  readonly #pool: GrantPool;

  constructor(
    pool: GrantPool,
    account: AccountUse,
    amount: number,
    startedAtMs: number,
    onReclaim?: OnReclaim,
  ) {
    this.#pool = pool;
    this.account = account;
    this.amount = amount;
    this.startedAtMs = startedAtMs;
    this.onReclaim = onReclaim;
  }

  resize(amount: number): void {
    this.#pool.resize(this, amount);
  }

  release(): void {
    this.#pool.release(this);
  }
}
