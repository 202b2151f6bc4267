import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { KeyWatch } from '#accounts';
import { KEY_CHANNEL } from '../sql/key-store.ts';
import { closeClient } from './connection-pool.ts';

/** The interval of the queries that show that the connection is alive: without an answer it is closed. */
const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 500;

export interface KeyNoticesOptions {
  /** The options of the connection, with a timeout of about a second. */
  client: pg.ClientConfig;
  now: () => number;
  /** Receives the account whose keys have changed. */
  onNotice: (accountId: string | null) => void;
  /** Called when the connection is lost or cannot be opened. */
  onLost: () => void;
}

export interface KeyNotices {
  getWatch(): KeyWatch;
  close(): Promise<void>;
}

/**
 * Listens for changes of keys on a connection of its own, and opens another one when it is lost. Notices that
 * are sent meanwhile do not arrive: each connection has a watch of its own, and the end of the watch tells
 * the cache to query its keys again.
 */
export function openKeyNotices({ client: options, now, onNotice, onLost }: KeyNoticesOptions): KeyNotices {
  const closing = new AbortController();
  let watch: KeyWatch = { confirmedAtMs: 0, isEnded: false };

  async function listen(client: pg.Client, signal: AbortSignal): Promise<void> {
    client.on('notification', ({ payload }) => onNotice(payload || null));
    await client.connect();
    let sentAtMs = now();
    await client.query(`listen ${KEY_CHANNEL}`);
    watch.isEnded = true;
    watch = { confirmedAtMs: sentAtMs, isEnded: false };
    for (;;) {
      await delay(HEARTBEAT_MS, undefined, { signal, ref: false });
      sentAtMs = now();
      // Notices of earlier commits arrive before the answer.
      await client.query('select 1');
      watch.confirmedAtMs = sentAtMs;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new pg.Client(options);
      const lost = new AbortController();
      client.on('error', () => lost.abort());
      client.on('end', () => lost.abort());
      // The loop has no other end than an error.
      await listen(client, AbortSignal.any([closing.signal, lost.signal])).catch(() => {});
      await closeClient(client);
      if (closing.signal.aborted) return;
      onLost();
      await delay(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  const running = run();
  return {
    getWatch: () => watch,
    async close() {
      closing.abort();
      await running;
    },
  };
}
