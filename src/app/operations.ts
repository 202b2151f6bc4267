/** The three operations, with the shares that their work holds for the caller's account. */
import type { PageRenderer } from '#browser';
import type { Egress, HoldLookup, createLookupMail, createLookupTxt } from '#egress';
import {
  type DomainLists,
  EmailCache,
  type ValidateEmailDeps,
  validateEmail,
  validateEmails,
  validateEmailsAsCompleted,
} from '#email';
import type { ServerDeps } from '#http';
import {
  type FetchedPage,
  type FetchPageRequest,
  getMetadata,
  type MetadataCache,
  type PageReader,
  Singleflight,
} from '#metadata';
import type { PdfEngine } from '#pdf';
import { nameSharer, type Place, type ShareHolder, type Shares, withPlace } from '#limits';

export interface OperationsOptions {
  /** The operations that this process serves. */
  served: ReadonlySet<'email' | 'metadata' | 'pdf'>;
  shares: Shares;
  lookupMail: ReturnType<typeof createLookupMail>;
  lookupTxt: ReturnType<typeof createLookupTxt>;
  lists: DomainLists;
  /** Default: one of its own. */
  emailCache?: EmailCache;
  fetchPage: Egress['fetchPage'];
  formatIdentity: Egress['formatIdentity'];
  cache: MetadataCache | undefined;
  /** Undefined if PDF is not served. */
  pdf: Pick<PdfEngine, 'generatePdf'> | undefined;
  /** Undefined if the operator has turned rendering off. */
  renderPage?: PageRenderer<ShareHolder> | undefined;
  /** Aborts renders in flight when a drain has to end. */
  drainSignal: AbortSignal;
  now: () => number;
}

/**
 * Larger pages count as memory of the account: 255 pages of 2 MiB from hosts that never end them took 600 MB.
 */
const SMALL_PAGE_BYTES = 256 * 1024;

type Operations = Required<
  Pick<ServerDeps, 'validateEmail' | 'validateEmails' | 'getMetadata' | 'generatePdf'>
>;

/** Returns the operations that are served. */
export function createOperations(
  options: OperationsOptions,
): Partial<Operations> & Pick<ServerDeps, 'canRender'> {
  const { served, pdf, drainSignal } = options;
  return {
    canRender: options.renderPage !== undefined,
    ...(served.has('email') && createEmailOperations(options)),
    ...(served.has('metadata') && { getMetadata: createMetadataOperation(options) }),
    ...(pdf && {
      generatePdf: (request, caller, signal, watch) =>
        pdf.generatePdf(request, caller, AbortSignal.any([signal, drainSignal]), watch),
    }),
  };
}

function createEmailOperations({
  shares,
  lookupMail,
  lookupTxt,
  lists,
  emailCache = new EmailCache(),
}: OperationsOptions): Pick<Operations, 'validateEmail' | 'validateEmails'> {
  return {
    async validateEmail(request, caller) {
      // Without a DNS lookup, the request ends in this call and needs no place.
      let held: { place: Place; signal: AbortSignal } | undefined;
      const hold: HoldLookup = async (_signal, lookUp) => {
        held ??= takeRequest(shares, caller);
        return holdLookup(shares, caller)(held.signal, lookUp);
      };
      try {
        return await validateEmail(request, {
          lookupMail: (domain, _signal, timeoutMs) => lookupMail(domain, undefined, timeoutMs, hold),
          lookupTxt: (name, _signal, timeoutMs) => lookupTxt(name, undefined, timeoutMs, hold),
          lists,
          cache: emailCache,
        });
      } finally {
        held?.place.release();
      }
    },

    validateEmails({ requests, isOrdered }, caller, signal) {
      // A batch has no deadline of its own, so its lookups may wait without a limit.
      const hold = holdLookup(shares, caller, Infinity);
      const deps: ValidateEmailDeps = {
        lookupMail: (domain, held, timeoutMs) => lookupMail(domain, held, timeoutMs, hold),
        lookupTxt: (name, held, timeoutMs) => lookupTxt(name, held, timeoutMs, hold),
        lists,
        cache: emailCache,
      };
      const validate = isOrdered ? validateEmails : validateEmailsAsCompleted;
      return validate(requests, deps, { signal });
    },
  };
}

/** Takes the place of a request. The signal aborts when it is reclaimed. */
function takeRequest(shares: Shares, holder: ShareHolder): { place: Place; signal: AbortSignal } {
  const reclaimed = new AbortController();
  const place = shares.take('emailRequests', holder, 1, (error) => reclaimed.abort(error));
  return { place, signal: reclaimed.signal };
}

/**
 * Holds a place during a lookup. If the place is reclaimed, the lookup waits for another one and starts
 * again, so that its request does not fail.
 */
function holdLookup(shares: Shares, holder: ShareHolder, maxWaitMs?: number): HoldLookup {
  return async (signal, lookUp) => {
    const request = {
      kind: 'dnsLookups',
      holder,
      signal,
      ...(maxWaitMs !== undefined && { maxWaitMs }),
    } as const;
    for (;;) {
      let isReclaimed = false;
      try {
        return await withPlace(shares, request, async (held) => {
          try {
            return await lookUp(held);
          } finally {
            isReclaimed = held.aborted && signal?.aborted !== true;
          }
        });
      } catch (error) {
        if (!isReclaimed) throw error;
      }
    }
  };
}

function createMetadataOperation(options: OperationsOptions): Operations['getMetadata'] {
  const { shares, cache, renderPage, formatIdentity, drainSignal, now } = options;
  const singleflight = new Singleflight();
  return (request, caller, signal, { startPhase, ...place } = {}) =>
    getMetadata(
      request,
      {
        startPhase,
        // A shared fetch belongs to one account: the request that starts it holds the place.
        fetchPage: async (page, reader, visitSignal) => {
          const endQueue = page.startPhase?.('queue');
          try {
            const wait = { kind: 'pageConnections', holder: caller, signal: visitSignal, ...place } as const;
            return await withPlace(shares, wait, (held) => {
              endQueue?.();
              return fetchHeld(options, caller, page, reader, held);
            });
          } finally {
            endQueue?.();
          }
        },
        ...(renderPage && {
          renderPage: async (page, renderSignal) => {
            const endRender = startPhase?.('render');
            const reclaimed = new AbortController();
            // The page is in memory while it waits for a browser, too.
            const memory = shares.take('bodyBytes', caller, page.body.length, (error) =>
              reclaimed.abort(error),
            );
            try {
              const ended = AbortSignal.any([renderSignal, drainSignal, reclaimed.signal]);
              return await renderPage({ ...page, ...formatIdentity(page) }, caller, ended, place);
            } finally {
              memory.release();
              endRender?.();
            }
          },
        }),
        singleflight,
        client: caller.accountId,
        now,
        ...(cache && { cache }),
      },
      signal,
    );
}

/** Fetches a page. The bytes of a large page are held while it is received. */
async function fetchHeld(
  { shares, fetchPage }: OperationsOptions,
  holder: ShareHolder,
  page: FetchPageRequest,
  reader: PageReader,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const reclaimed = new AbortController();
  let memory: Place | undefined;
  let received = 0;
  const counted: PageReader = {
    start: (head) => reader.start(head),
    write(chunk) {
      received += chunk.length;
      if (memory !== undefined) memory.resize(received);
      else if (received > SMALL_PAGE_BYTES)
        memory = shares.take('bodyBytes', holder, received, (error) => reclaimed.abort(error));
      return reader.write(chunk);
    },
    get isEnough() {
      return reader.isEnough === true;
    },
  };
  try {
    const shared = { ...page, client: nameSharer(holder) };
    return await fetchPage(shared, counted, AbortSignal.any([signal, reclaimed.signal]));
  } finally {
    memory?.release();
  }
}
