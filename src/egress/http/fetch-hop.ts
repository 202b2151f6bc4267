import { ResponseHop, type HopOutcome, type ResponseHopOptions } from './response-hop.ts';
import { sendHop, type EgressContext, type HopRequest } from './send.ts';

/** Options for the response of one hop. */
export type HopResponseOptions = Omit<ResponseHopOptions, 'url' | 'settle' | 'fail'>;

/**
 * Sends one request and passes the body of its response to the reader; a redirect is returned, not followed.
 * Rejects with a Refusal, an ApiError, a ReaderError, an error of the network or the signal's reason.
 */
export function fetchHop(
  context: EgressContext,
  request: HopRequest,
  response: HopResponseOptions,
  signal: AbortSignal,
): Promise<HopOutcome> {
  return new Promise((settle, fail) => {
    const hop = new ResponseHop({ ...response, url: request.url, settle, fail });
    void sendHop(context, request, hop, signal);
  });
}
