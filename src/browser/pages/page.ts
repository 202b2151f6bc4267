import type { Protocol } from 'devtools-protocol';
import type {
  CdpConnection,
  CdpEvent,
  CdpMethod,
  CdpParams,
  CdpResult,
  SuppliedResponse,
} from '../cdp/cdp-connection.ts';
import { CdpError, type LossReason, PageLostError } from '../browser-errors.ts';
import {
  type ProcessIdentity,
  getCpuMs,
  getResidentBytes,
  isRunning,
  killProcess,
  lowerPriority,
} from '../launch/run-folder.ts';
import type { FrameQueue } from './frames.ts';
import { PageWorkers } from './page-workers.ts';
import { VirtualTime } from './virtual-time.ts';

/** The limits of one document, far more than any needs. Each event costs CPU time of the service. */
const MAX_DIALOGS = 20;
const MAX_EVENTS = 20_000;
/** A request counts as this many events: it is answered too, and 500 are served. */
const REQUEST_EVENTS = 4;
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

/** Events that need an action, which is not possible without their parameters. */
const NEEDED_EVENTS = new Set(['Page.javascriptDialogOpening', 'Target.attachedToTarget']);

/**
 * The URL of documents without one: an origin of its own (storage, cookies and history work) that is a secure
 * context, and whose scheme lets it load resources over http. The service answers no request for it.
 */
export const OWN_URL = 'http://document.localhost/';

/**
 * The name of the isolated world of the service's own scripts. A world without a name would be another one
 * each time, and every navigation would create all of the earlier ones again.
 */
export const WORLD = 'service';

/** The response for a document whose content is set later. */
const EMPTY_DOCUMENT: SuppliedResponse = {
  responseCode: 200,
  responseHeaders: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
};

/** A document that a page is opening. */
interface Opening {
  /** Null once it is sent, unless it is EMPTY_DOCUMENT: scripts of the document make later requests. */
  response: SuppliedResponse | null;
  /** The document is empty. */
  isEmpty: boolean;
  /**
   * Resolves at the load event of an empty document, and at the beginning of another one; rejects if the
   * browser refuses its URL.
   */
  done: PromiseWithResolvers<void>;
}

/** A page with a BrowserContext and a renderer process of its own. */
export class Page {
  readonly targetId: string;
  readonly contextId: string;
  readonly sessionId: string;
  /** The renderer's process; null until it is known. */
  renderer: ProcessIdentity | null = null;
  /** Documents rendered so far. */
  renders = 0;
  /** The account of the document that it renders. */
  accountId: string | null = null;
  /** The CPU time that its renderer used in about the last second, in milliseconds. */
  recentCpuMs = 0;
  /** Its renderer has a low priority, which cannot be raised again without rights of root. */
  isDemoted = false;
  /** View transitions ran: after them, frames of the next document may never end. */
  hasTransitions = false;
  /** Changes of its history by all of its documents: navigations within a document, and states. */
  historyChanges = 0;
  /** The clock of its renderer. */
  readonly time = new VirtualTime(this);
  /** The document has frames of other origins, whose storage outlives it. */
  hasForeignFrames = false;
  readonly workers: PageWorkers;
  readonly #loss = Promise.withResolvers<never>();
  /** Rejects with PageLostError as soon as the page is lost; never resolves. */
  readonly whenLost = this.#loss.promise;
  lossReason: LossReason | null = null;
  /** Checks whether the pages of the document are being laid out. Set while a render watches it. */
  isLayingOut: () => boolean = () => false;
  readonly #disposal = Promise.withResolvers<void>();
  /** Resolves when the browser has confirmed that the lost page is gone, or has ended. */
  readonly whenDisposed = this.#disposal.promise;
  /** The URL of the document that was opened. Content that is set into the document does not change it. */
  url = '';
  /** Scripting is disabled. */
  isScriptless = false;
  /** Chromium prints the document. */
  isPrinting = false;
  /** Called for each request of the document. While it is null, requests fail. */
  onRequest: ((request: PausedRequest) => void) | null = null;
  /** The requests of its document so far. */
  requests = 0;
  /** Called at the load event. */
  onLoad: (() => void) | null = null;
  /**
   * The source of the document is being parsed: a navigation would cut it off, and abandons the page. After
   * its DOMContentLoaded event, a navigation is a request, which fails, and the document stays.
   */
  isParsing = false;

  readonly #connection: CdpConnection;
  readonly #frames: FrameQueue;
  /**
   * The id of an isolated world: the document's scripts cannot change the functions in it. It outlives
   * Page.setDocumentContent.
   */
  #worldId = 0;
  /** The document that is being opened. */
  #opening: Opening | null = null;
  #counts = { events: 0, bytes: 0, dialogs: 0 };

  /** `frames` is the queue of its browser. */
  constructor(
    connection: CdpConnection,
    ids: { targetId: string; contextId: string; sessionId: string },
    frames: FrameQueue,
  ) {
    this.#connection = connection;
    this.#frames = frames;
    this.targetId = ids.targetId;
    this.contextId = ids.contextId;
    this.sessionId = ids.sessionId;
    this.workers = new PageWorkers(connection, (event) => this.#onEvent(event));
    this.whenLost.catch(() => {});
    connection.listen(ids.sessionId, (event) => this.#onEvent(event));
  }

  /** The renderer's process id; 0 if it is not known. */
  get pid(): number {
    return this.renderer?.pid ?? 0;
  }

  /** The memory of its renderer. */
  get residentBytes(): number {
    return getResidentBytes(this.pid);
  }

  /** The CPU time that its renderer has used, in milliseconds. */
  get cpuMs(): number {
    return getCpuMs(this.pid);
  }

  /** Lowers the priority of its renderer: see lowerPriority. */
  demote(nice: number): void {
    this.isDemoted = true;
    lowerPriority(this.pid, nice);
  }

  /**
   * Opens the document that `response` supplies at `url`, which is not fetched: an empty one, up to its load
   * event, whose origin the content has that is set into it; or another one, up to its beginning, whose own
   * navigations are requests. `url` has no fragment if the document is empty, and may be the page's own URL.
   * Throws CdpError if the browser refuses it, PageLostError if the page is lost.
   */
  async open(
    url: string,
    response = EMPTY_DOCUMENT,
    navigate: () => Promise<unknown> = () => this.#navigate(url),
  ): Promise<void> {
    const done = Promise.withResolvers<void>();
    const isEmpty = response === EMPTY_DOCUMENT;
    this.#opening = { response, isEmpty, done };
    try {
      const opened = Promise.all([navigate(), done.promise]);
      const passing = isEmpty ? this.time.advanceUntil(opened) : null;
      await Promise.race([Promise.all([opened, passing]), this.whenLost]);
      const world = { frameId: this.targetId, worldName: WORLD };
      this.#worldId = (await this.send('Page.createIsolatedWorld', world)).executionContextId;
      this.url = url;
    } finally {
      this.#opening = null;
    }
  }

  /**
   * The document itself navigates, without a referrer: Page.navigate would start another renderer, which
   * nothing watches.
   */
  #navigate(url: string): Promise<unknown> {
    const withoutReferrer = "document.head.innerHTML = '<meta name=referrer content=no-referrer>'";
    return this.evaluate(`${withoutReferrer}; location.replace(${JSON.stringify(url)})`);
  }

  /** Replaces the content of the document. Resolves at its load event; rejects if the page is lost. */
  async setContent(html: string): Promise<void> {
    const loaded = Promise.withResolvers<void>();
    this.onLoad = () => loaded.resolve();
    await this.send('Page.setDocumentContent', { frameId: this.targetId, html });
    await Promise.race([loaded.promise, this.whenLost]);
  }

  /** Enables or disables the scripts of documents. */
  setScripting(isEnabled: boolean): void {
    if (isEnabled !== this.isScriptless) return;
    this.isScriptless = !isEnabled;
    this.sendAndForget('Emulation.setScriptExecutionDisabled', { value: !isEnabled });
  }

  /** Forgets the functions that a render has set, and what was counted of its document. */
  reset(): void {
    this.accountId = null;
    this.recentCpuMs = 0;
    this.isLayingOut = () => false;
    this.onRequest = null;
    this.onLoad = null;
    this.isParsing = false;
    this.requests = 0;
    this.#counts = { events: 0, bytes: 0, dialogs: 0 };
  }

  /**
   * Sends a command to the page. Rejects with CdpError, or CdpClosedError if the page or the browser is gone.
   */
  send<M extends CdpMethod>(method: M, params?: CdpParams<M>): Promise<CdpResult<M>> {
    return this.#connection.send(method, params, this.sessionId);
  }

  /** Sends a command whose outcome does not matter: the page may be gone by then. */
  sendAndForget<M extends CdpMethod>(method: M, params?: CdpParams<M>): void {
    this.send(method, params).catch(() => {});
  }

  /** Sends a command whose result is `data` in base64, and returns the bytes. */
  async sendForData<M extends 'Page.printToPDF'>(method: M, params: CdpParams<M>): Promise<Buffer> {
    this.isPrinting = true;
    try {
      return await this.#connection.sendForData(method, params, this.sessionId);
    } finally {
      this.isPrinting = false;
    }
  }

  /** Evaluates an expression in the isolated world and awaits its value. Throws CdpError if it throws. */
  evaluate(expression: string): Promise<unknown> {
    return this.#evaluate(expression, { contextId: this.#worldId });
  }

  /** Evaluates an expression among the document's own scripts. Throws CdpError if it throws. */
  evaluateInDocument(expression: string): Promise<unknown> {
    return this.#evaluate(expression, {});
  }

  /** Shows one frame: see FrameQueue. Throws PageLostError. */
  async showFrame(isDrawn = false): Promise<void> {
    await Promise.race([this.#frames.show(this, isDrawn), this.whenLost]);
  }

  /**
   * Kills the renderer and disposes of the BrowserContext. Commands in flight and `whenLost` reject; only the
   * first reason counts.
   */
  abandon(reason: LossReason): void {
    if (this.lossReason !== null) return;
    this.lossReason = reason;
    this.#loss.reject(new PageLostError(reason));
    this.#connection.endSession(this.sessionId);
    this.workers.end();
    // It may have ended already, and its id may belong to another process by now.
    if (this.renderer && isRunning(this.renderer)) killProcess(this.renderer.pid);
    this.#connection
      .send('Target.disposeBrowserContext', { browserContextId: this.contextId })
      .catch(() => {})
      .finally(() => this.#disposal.resolve());
  }

  async #evaluate(expression: string, context: { contextId?: number }): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      ...context,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  #onEvent({ method, params, head, bytes }: CdpEvent): void {
    this.#counts.events += method === 'Fetch.requestPaused' ? REQUEST_EVENTS : 1;
    this.#counts.bytes += bytes;
    if (this.#counts.events > MAX_EVENTS || this.#counts.bytes > MAX_EVENT_BYTES) this.abandon('flood');
    else if (params === null) this.#onOversizedEvent(method, head);
    else this.#onParsedEvent(method, params);
  }

  #onParsedEvent(method: string, params: unknown): void {
    switch (method) {
      case 'Fetch.requestPaused':
        this.#onRequestPaused(params as PausedRequest);
        break;
      case 'Page.domContentEventFired':
        this.isParsing = false;
        break;
      case 'Page.loadEventFired':
        this.#opening?.done.resolve();
        this.onLoad?.();
        break;
      case 'Emulation.virtualTimeBudgetExpired':
        this.time.expire();
        break;
      case 'Target.attachedToTarget':
        this.workers.add(params as Protocol.Target.AttachedToTargetEvent);
        break;
      case 'Target.detachedFromTarget':
        this.workers.remove((params as Protocol.Target.DetachedFromTargetEvent).sessionId);
        break;
      case 'Page.frameNavigated': {
        const { frame } = params as Protocol.Page.FrameNavigatedEvent;
        if (frame.parentId !== undefined) this.hasForeignFrames ||= /^https?:/.test(frame.url);
        else if (this.#opening === null) this.abandon('navigated');
        else if (frame.unreachableUrl !== undefined) this.#opening.done.reject(new CdpError('unreachable'));
        else if (!this.#opening.isEmpty) this.#opening.done.resolve();
        break;
      }
      case 'Page.frameStartedNavigating': {
        const { frameId, navigationType } = params as Protocol.Page.FrameStartedNavigatingEvent;
        const isOther = !/^(?:historyS|s)ameDocument$/.test(navigationType);
        if (this.isParsing && frameId === this.targetId && isOther) this.abandon('navigated');
        break;
      }
      case 'Page.navigatedWithinDocument':
        this.historyChanges += 1;
        break;
      case 'Page.javascriptDialogOpening':
        this.#counts.dialogs += 1;
        if (this.#counts.dialogs > MAX_DIALOGS) this.abandon('dialogs');
        else this.sendAndForget('Page.handleJavaScriptDialog', { accept: false });
        break;
      case 'Inspector.targetCrashed':
        this.abandon('crashed');
        break;
      case 'Inspector.detached':
        this.abandon('closed');
        break;
      default:
    }
  }

  /**
   * Handles an event that is too large to be parsed: a request with a body of megabytes fails, a worker or a
   * dialog with a text of megabytes abandons the page, a frame with such a URL or name is ignored.
   */
  #onOversizedEvent(method: string, head: string): void {
    if (method === 'Page.navigatedWithinDocument') this.historyChanges += 1;
    if (method === 'Fetch.requestPaused') {
      const requestId = /"params":\{"requestId":"([\w.-]+)"/.exec(head)?.[1];
      if (requestId === undefined) this.abandon('memory');
      else this.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    } else if (method === 'Page.frameNavigated') {
      if (head.includes(`"frame":{"id":"${this.targetId}"`)) this.abandon('navigated');
    } else if (method === 'Page.frameStartedNavigating') {
      if (this.isParsing && head.includes(`"frameId":"${this.targetId}"`)) this.abandon('navigated');
    } else if (NEEDED_EVENTS.has(method)) this.abandon('memory');
  }

  #onRequestPaused(request: PausedRequest): void {
    this.requests += 1;
    const isDocument = request.resourceType === 'Document' && request.frameId === this.targetId;
    const { requestId } = request;
    const response = isDocument && this.#opening?.response;
    if (response) {
      if (this.#opening?.isEmpty === false) this.#opening.response = null;
      this.sendAndForget('Fetch.fulfillRequest', { requestId, ...response });
    } else if (this.onRequest) this.onRequest(request);
    else this.sendAndForget('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  }
}
