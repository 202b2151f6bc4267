/**
 * Runs one attack in a process of its own, at a lower priority: what is measured is the service, not the cost
 * of the attack's sending.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findAttack } from '../attacks/index.ts';
import type { AttackField } from './attack.ts';
import { endChild } from './end-child.ts';

/** The number of an attack's calls by outcome. */
export type Outcomes = Record<string, number>;

export interface Attacker extends AsyncDisposable {
  /** Ends the attack and its process; returns the outcomes of its calls. */
  stop(): Promise<Outcomes>;
}

const failStart = (): never => {
  throw new Error('the attack did not start');
};

type PlainField = Omit<AttackField, 'note'>;

/** Starts the attack and returns once it is ready to send. */
export async function startAttacker(name: string, field: PlainField): Promise<Attacker> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  const child = fork(fileURLToPath(import.meta.url), ['attack', name, JSON.stringify(field)], {
    execArgv: [],
    env,
  });
  // If the attack cannot be prepared, its process ends.
  await Promise.race([once(child, 'message'), once(child, 'exit').then(failStart)]);
  return {
    async stop() {
      const answer = Promise.race([once(child, 'message'), once(child, 'exit')]);
      child.send('stop');
      const [outcomes] = (await answer) as [Outcomes | number];
      await endChild(child);
      if (typeof outcomes !== 'object') throw new Error(`the attack ${name} ended with code ${outcomes}`);
      return outcomes;
    },
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

async function runAttacker(name: string, field: PlainField): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const attack = findAttack(name);
  const accounts = (await attack.prepare?.(field)) ?? field.accounts;
  const outcomes: Outcomes = {};
  const end = new AbortController();
  const note = (outcome: string): void => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const running = attack.run({ ...field, accounts, note }, end.signal);
  process.on('message', () => {
    end.abort();
    void running.then(() => process.send?.(outcomes));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

if (process.argv[2] === 'attack' && process.send !== undefined)
  void runAttacker(process.argv[3] ?? '', JSON.parse(process.argv[4] ?? '') as PlainField);
