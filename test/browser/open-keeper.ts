import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type BrowserKeeper, renderPage, type Page } from '#browser';
import { openSlots, type TestSlots } from './open-slots.ts';
import { patientMs } from '../support/patience.ts';

/** A keeper with the machine's browser, and what it logged. */
export interface TestKeeper {
  keeper: TestSlots;
  messages: string[];
}

/** Starts a keeper with one slot. */
export async function openKeeper(): Promise<TestKeeper> {
  const messages: string[] = [];
  const log = (_fields: object, message: string): void => void messages.push(message);
  const keeper = await openSlots({ log: { info: log, warn: log, error: log } });
  return { keeper, messages };
}

/** Runs `work` in a page of an owner (null: in a page that is used once). */
export function useKeeper<T>(
  keeper: BrowserKeeper,
  ownerId: string | null,
  work: (page: Page) => Promise<T>,
  { leaves = 'content' }: { leaves?: 'content' | 'document' | 'realm' } = {},
): Promise<T> {
  return renderPage(
    keeper,
    {
      reuse: ownerId === null ? null : { ownerId, documentBytes: 1, leaves },
      render: work,
    },
    {
      accountId: ownerId ?? 'test',
      remainingMs: patientMs(30_000),
      now: () => performance.now(),
      rendererMemoryMb: 1_200,
      signal: undefined,
    },
  );
}

/** Waits until `isSo`, for a long time at most. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + patientMs(10_000);
  while (!isSo()) {
    assert.ok(performance.now() < end, 'waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Checks whether a process runs. */
export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}/exe`);
}
