import type { FastifyReply } from 'fastify';

import { ClientDisconnected } from './hooks/hold-request.ts';

/** A signal that aborts when the caller hangs up before the answer is written, so that nobody works for no one. */
export function abortOnHangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientDisconnected('the client disconnected'));
  });
  return controller.signal;
}
