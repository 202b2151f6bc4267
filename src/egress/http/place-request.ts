import type { ReclaimableHold } from './fair-order.ts';

/** A connection to the host. */
export interface Placed {
  /** The current use; null while the connection is idle. */
  hold: Hold | null;
}

export interface PlaceRequest<C extends Placed> {
  client: string;
  signal: AbortSignal;
  /** Reports whether this request can use a connection that another request releases. */
  accepts: (connection: C) => boolean;
  onReclaim: ReclaimableHold['onReclaim'];
}

/** The use of a place by one request, until its connection is released or closed. */
export interface Hold extends ReclaimableHold {
  readonly client: string;
}

/** A hold, with the connection that another request released; null: one must be dialed. */
export interface Grant<C extends Placed> {
  hold: Hold;
  connection: C | null;
}
