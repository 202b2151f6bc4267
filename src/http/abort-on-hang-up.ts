import type { FastifyReply } from 'fastify';

/** Nobody waits for the answer any more: not a failure of ours. */
export class CallerHungUp extends Error {
  override name = 'CallerHungUp';
}

/** A signal that aborts when the caller hangs up before the answer is written, so that nobody works for no one. */
export function abortOnHangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new CallerHungUp('the caller hung up'));
  });
  return controller.signal;
}
