import type { Protocol } from 'devtools-protocol';
import type { CdpConnection, CdpEvent, CdpMethod, CdpParams } from '../cdp/cdp-connection.ts';

/**
 * Returns the parameters that attach to each new page, before it navigates, or to each dedicated worker,
 * before its script runs. Worklets wait too, also if they are excluded.
 */
export function attachTo(...types: ('page' | 'worker' | 'worklet')[]): Protocol.Target.SetAutoAttachRequest {
  const filter = [...types.map((type) => ({ type })), { exclude: true }];
  return { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter };
}

/**
 * The workers of a document that run at a time. 64 busy ones took all CPU time of a machine: neighbors of 92
 * ms took 6.5 s. Worklets of one kind share a thread.
 */
export const MAX_WORKERS = 16;

/** The dedicated workers of a page's document, and their own workers, each with a session. */
export class PageWorkers {
  readonly #connection: CdpConnection;
  readonly #sessions = new Set<string>();
  /** Workers that were over the limit: they ended before their scripts ran. */
  refused = 0;
  /** Called with the start and the end of a worker's own workers. */
  readonly #onEvent: (event: CdpEvent) => void;

  constructor(connection: CdpConnection, onEvent: (event: CdpEvent) => void) {
    this.#connection = connection;
    this.#onEvent = onEvent;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Lets a waiting worker run, and attaches to its own workers. Ends it if it is one too many. */
  add({ sessionId, targetInfo: { type } }: Protocol.Target.AttachedToTargetEvent): void {
    const send = <M extends CdpMethod>(method: M, params?: CdpParams<M>): void =>
      void this.#connection.send(method, params, sessionId).catch(() => {});
    if (type === 'worklet') return send('Runtime.runIfWaitingForDebugger');
    if (this.#sessions.size >= MAX_WORKERS) {
      this.refused += 1;
      send('Runtime.evaluate', { expression: 'close()' });
      return send('Runtime.runIfWaitingForDebugger');
    }
    this.#sessions.add(sessionId);
    this.#connection.listen(sessionId, (event) => {
      if (/^Target\.(?:attached|detached)/.test(event.method)) this.#onEvent(event);
    });
    send('Target.setAutoAttach', attachTo('worker'));
    send('Runtime.runIfWaitingForDebugger');
  }

  /** Removes a worker that has ended. Commands to it reject. */
  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#connection.endSession(sessionId);
  }

  /** Checks that no worker is running a task. Resolves when all of them have responded. */
  async ping(): Promise<void> {
    const ping = (sessionId: string): Promise<unknown> =>
      this.#connection.send('Runtime.evaluate', { expression: '0' }, sessionId).catch(() => {});
    await Promise.all([...this.#sessions].map(ping));
  }

  /** Ends all sessions, as the page is lost. Commands to the workers reject. */
  end(): void {
    for (const sessionId of this.#sessions) this.#connection.endSession(sessionId);
  }
}
