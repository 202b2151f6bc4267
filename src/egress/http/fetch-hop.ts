import type { StartPhase } from '#metadata';
import type { Exchange } from './exchange.ts';
import type { RawHeaders } from './headers.ts';
import { ResponseHop, type HopOutcome, type ResponseHopOptions } from './response-hop.ts';
import { sendHop, type EgressContext, type HopRequest } from './send.ts';

/** Options for the response of one hop. */
export type HopResponseOptions = Omit<ResponseHopOptions, 'url' | 'settle' | 'fail'>;

/** A hop that observes the phases of its response. */
class ObservedHop extends ResponseHop {
  readonly #startPhase: StartPhase;
  #end = () => {};

  constructor(options: ResponseHopOptions, startPhase: StartPhase) {
    super({
      ...options,
      settle: (outcome) => {
        this.#end();
        options.settle(outcome);
      },
      fail: (error) => {
        this.#end();
        options.fail(error);
      },
    });
    this.#startPhase = startPhase;
  }

  override onPeer(address: string): void {
    this.#enter('first_byte');
    super.onPeer(address);
  }

  override onHead(status: number, headers: RawHeaders, exchange: Exchange): void {
    this.#enter('body');
    super.onHead(status, headers, exchange);
  }

  #enter(phase: 'first_byte' | 'body'): void {
    this.#end();
    this.#end = this.#startPhase(phase);
  }
}

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
  const { url, startPhase } = request;
  return new Promise((settle, fail) => {
    const options = { ...response, url, settle, fail };
    const hop = startPhase ? new ObservedHop(options, startPhase) : new ResponseHop(options);
    void sendHop(context, request, hop, signal);
  });
}
