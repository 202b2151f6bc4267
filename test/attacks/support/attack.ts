import type { TargetPorts } from './targets.ts';

/** An account that an attack needs; its keys are made before the service starts. */
export interface AttackAccount {
  plan: 'free' | 'pro' | 'business';
  keys: number;
}

/** One way to harm other callers. `run` continues until the signal aborts. */
export interface Attack {
  name: string;
  /** The row of issue 10's "What was measured". */
  row: string;
  accounts: readonly AttackAccount[];
  /**
   * The most CPU of the main thread in one turn, in milliseconds: 20 if all of the attack's calls are email,
   * else 50.
   */
  maxTurnMs: 20 | 50;
  /**
   * The p99 of other callers may be this many times the p99 alone. If unset, 3 times, with a higher floor for
   * PDFs.
   */
  maxRatio?: number;
  /** The time from the start of the attack to that of the well-behaved caller, if not the usual one. */
  headStartMs?: number;
  /** Runs before the attack; returns the keys of accounts that it made itself. */
  prepare?(field: Omit<AttackField, 'note'>): Promise<string[][]>;
  run(field: AttackField, signal: AbortSignal): Promise<void>;
}

/** The targets and accounts of an attack. */
export interface AttackField {
  /** The service's port on 127.0.0.1, and its process. */
  port: number;
  servicePid: number;
  targets: TargetPorts;
  /** The keys of each account that the attack asked for, in that order. */
  accounts: string[][];
  /** Counts one outcome, like `200`, `400 invalid_json` or `reset`. */
  note(outcome: string): void;
}

/** The keys of the attack's first account, or of all of them. */
export const firstKeys = ({ accounts }: AttackField): string[] => accounts[0] ?? [];
export const allKeys = ({ accounts }: AttackField): string[] => accounts.flat();
