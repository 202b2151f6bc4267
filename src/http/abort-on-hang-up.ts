import type { FastifyReply } from 'fastify';

import { ClientDisconnected } from './hooks/hold-request.ts';

/** Returns a signal that aborts when the client disconnects before its response is written. */
export function abortOnHangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected('the client disconnected'));
  });
  return controller.signal;
}
