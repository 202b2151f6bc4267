import type pg from 'pg';

/** A server that does not respond does not acknowledge the end of a connection either. */
const GRACE_MS = 500;

/** Closes a connection within half a second, even if the server does not respond. */
export async function closeClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyClient(client), GRACE_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** Closes the socket of a connection at once. */
export function destroyClient(client: pg.Client): void {
  // Not in the types of pg, and there is no other way to its socket.
  const { connection } = client as unknown as { connection?: { stream: { destroy(): void } } };
  connection?.stream.destroy();
}
