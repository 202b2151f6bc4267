/**
 * The health of the service, as administrators see it. The types are declared here and not imported: the
 * types of these routes are also compiled for the dashboard.
 */
export interface SystemHealth {
  status: 'ready' | 'unavailable' | 'draining';
  version: string;
  nodeVersion: string;
  startedAtMs: number;
  memoryBytes: number;
  uncaughtErrors: number;
  /** The delay of the event loop, within a sample of a fraction of a second. */
  eventLoop: { p50Ms: number; p99Ms: number; maxMs: number };
  database: PartHealth & { kind: 'SQLite' | 'PostgreSQL'; bytes: number | null };
  /** Null without Redis. */
  redis: (PartHealth & { replicas: number }) | null;
  /** Null if the process renders nothing. */
  browser: BrowserHealth | null;
  dns: { servers: readonly string[] };
  /** True if emails are sent; otherwise their links are in the log. */
  sendsMail: boolean;
  lists: { lists: number; failed: number; entries: number; refreshedAtMs: number | null };
  /** The places that all accounts share: how many there are and are in use, and how many requests wait. */
  queues: readonly { kind: string; capacity: number; held: number; queued: number }[];
  usage: { unwrittenSinceMs: number | null; bufferedRows: number; lostRows: number };
  droppedLogLines: number;
}

/** The state of a part; `reason` says why it does not work. */
export interface PartHealth {
  ok: boolean;
  reason: string | null;
}

export interface BrowserHealth extends PartHealth {
  version: string | null;
  sandbox: boolean;
  network: string;
  slots: number;
  busy: number;
  queued: number;
}
