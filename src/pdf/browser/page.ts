import type { Protocol } from 'devtools-protocol';
import type { CdpConnection, CdpEvent, CdpMethod, CdpParams, CdpResult } from './cdp-connection.ts';
import { isRunning, killProcess, type ProcessMark } from './process-mark.ts';

/** Why a page can render no more. */
export type LossReason =
  | 'crashed'
  | 'closed'
  | 'navigated'
  | 'dialogs'
  | 'flood'
  | 'memory'
  | 'deadline'
  | 'abandoned'
  | 'browser';

/** The page was lost in the middle of a render. */
export class PageLostError extends Error {
  override name = 'PageLostError';
  readonly reason: LossReason;

  constructor(reason: LossReason) {
    super(`the page is lost: ${reason}`);
    this.reason = reason;
  }
}

type PausedRequest = Protocol.Fetch.RequestPausedEvent;

const MAX_DIALOGS = 20;
/**
 * Far more than any document needs: each event costs the service time, so a document may not cause them
 * without end.
 */
const MAX_EVENTS = 20_000;
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/**
 * Events that hold what the document chose, an address or a name of megabytes, and that change nothing here.
 */
const IGNORED_EVENTS = new Set([
  'Page.documentOpened',
  'Page.downloadWillBegin',
  'Page.frameRequestedNavigation',
  'Page.frameScheduledNavigation',
  'Page.frameStartedNavigating',
  'Page.navigatedWithinDocument',
  'Page.windowOpen',
]);

/** A page in a BrowserContext of its own, with one renderer process of its own. */
export class Page {
  readonly targetId: string;
  readonly contextId: string;
  readonly sessionId: string;
  /** The renderer's process; null until it is known. */
  renderer: ProcessMark | null = null;
  /** Documents rendered so far. */
  renders = 0;
  isScriptless = false;
  /**
   * A world of our own in the document, where its scripts cannot change what functions do. It outlives
   * Page.setDocumentContent.
   */
  worldId = 0;
  /** Rejects with PageLostError as soon as the page is lost; never resolves. */
  readonly whenLost: Promise<never>;
  lossReason: LossReason | null = null;
  /** Told of each request of the document; where nobody listens, it fails. */
  onRequest: ((request: PausedRequest) => void) | null = null;
  onLoad: (() => void) | null = null;

  readonly #connection: CdpConnection;
  readonly #loss = Promise.withResolvers<never>();
  #dialogs = 0;
  #events = 0;
  #eventBytes = 0;

  constructor(connection: CdpConnection, ids: { targetId: string; contextId: string; sessionId: string }) {
    this.#connection = connection;
    this.targetId = ids.targetId;
    this.contextId = ids.contextId;
    this.sessionId = ids.sessionId;
    this.whenLost = this.#loss.promise;
    this.whenLost.catch(() => {});
    connection.listen(ids.sessionId, (event) => this.#onEvent(event));
  }

  /** The renderer's process id; 0 where it is not known. */
  get pid(): number {
    return this.renderer?.pid ?? 0;
  }

  /** To be called before each document: what the one before has caused is not counted against it. */
  forgetEvents(): void {
    this.#dialogs = 0;
    this.#events = 0;
    this.#eventBytes = 0;
  }

  send<M extends CdpMethod>(method: M, params?: CdpParams<M>): Promise<CdpResult<M>> {
    return this.#connection.send(method, params, this.sessionId);
  }

  /** Sends a command whose outcome does not matter: the page may be gone by then. */
  tell<M extends CdpMethod>(method: M, params?: CdpParams<M>): void {
    this.send(method, params).catch(() => {});
  }

  printToPdf(params: Protocol.Page.PrintToPDFRequest): Promise<Buffer> {
    return this.#connection.sendForData('Page.printToPDF', params, this.sessionId);
  }

  /**
   * Gives the page up: its renderer is killed, its BrowserContext disposed, and whoever waits for it is told
   * why.
   */
  lose(reason: LossReason): void {
    if (this.lossReason !== null) return;
    this.lossReason = reason;
    this.#loss.reject(new PageLostError(reason));
    this.#connection.forget(this.sessionId);
    // It may have ended already, and its number may belong to another process by now.
    if (this.renderer && isRunning(this.renderer)) killProcess(this.renderer.pid);
    this.#connection
      .send('Target.disposeBrowserContext', { browserContextId: this.contextId })
      .catch(() => {});
  }

  #onEvent({ method, params, head, bytes }: CdpEvent): void {
    this.#events += 1;
    this.#eventBytes += bytes;
    if (this.#events > MAX_EVENTS || this.#eventBytes > MAX_EVENT_BYTES) {
      this.lose('flood');
      return;
    }
    if (params === null) this.#onOversizedEvent(method, head);
    else this.#onParsedEvent(method, params);
  }

  #onParsedEvent(method: string, params: unknown): void {
    switch (method) {
      case 'Fetch.requestPaused':
        this.#onRequestPaused(params as PausedRequest);
        break;
      case 'Page.loadEventFired':
        this.onLoad?.();
        break;
      case 'Page.frameNavigated':
        if ((params as Protocol.Page.FrameNavigatedEvent).frame.parentId === undefined)
          this.lose('navigated');
        break;
      case 'Page.javascriptDialogOpening':
        this.#dialogs += 1;
        if (this.#dialogs > MAX_DIALOGS) this.lose('dialogs');
        else this.tell('Page.handleJavaScriptDialog', { accept: false });
        break;
      case 'Inspector.targetCrashed':
        this.lose('crashed');
        break;
      case 'Inspector.detached':
        this.lose('closed');
        break;
      default:
    }
  }

  /**
   * A request with a body of megabytes fails; a frame with an address or a name of megabytes goes on.
   * Anything else ends the page.
   */
  #onOversizedEvent(method: string, head: string): void {
    if (method === 'Fetch.requestPaused') {
      const requestId = /"params":\{"requestId":"([\w.-]+)"/.exec(head)?.[1];
      if (requestId === undefined) this.lose('memory');
      else this.tell('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    } else if (method === 'Page.frameNavigated') {
      if (head.includes(`"frame":{"id":"${this.targetId}"`)) this.lose('navigated');
    } else if (!IGNORED_EVENTS.has(method)) {
      this.lose('memory');
    }
  }

  #onRequestPaused(request: PausedRequest): void {
    if (this.onRequest) this.onRequest(request);
    else this.tell('Fetch.failRequest', { requestId: request.requestId, errorReason: 'BlockedByClient' });
  }
}
