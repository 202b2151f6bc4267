/** Clients that disconnect before their response is sent. */
import { continueInTurn } from '#concurrency';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** The status of a request whose client disconnected, in usage and in the log. No client receives it. */
export const DISCONNECTED_STATUS = 499;

/** Ends the work of a request whose client has disconnected. It is not an error of the service. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';

  constructor() {
    super('the client disconnected');
  }
}

/** Returns a signal that aborts when the client disconnects before its response is written. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected());
  });
  return controller.signal;
}

/** Calls back when the response is sent, or when the client disconnects before that. */
export function onResponseEnd(raw: ServerResponse, callback: (isDisconnected: boolean) => void): void {
  if (raw.closed || raw.destroyed) {
    callback(true);
    return;
  }
  // The response of an injected request finishes but never closes.
  raw.once('finish', () => callback(false));
  // When many clients disconnect together, ending their work can take more than one turn.
  raw.once('close', () => {
    if (raw.writableFinished) callback(false);
    else continueInTurn(() => callback(true));
  });
}
