import { continueInTurn, hasTurnTime } from '#event-loop';
import type { EmailReport, ValidateEmailRequest } from './email-report.ts';
import type { LookupMail, MailFacts } from './lookup-mail.ts';
import { validateEmail, type ValidateEmailDeps } from './validate-email.ts';

/** How a batch is run. */
export interface ValidateEmailsOptions {
  /** Addresses in work at once, 1 or more; each waits for at most one look-up. */
  concurrency?: number;
  /** Ends the batch: look-ups in flight are cancelled and the iteration throws the signal's reason. */
  signal?: AbortSignal;
}

const DEFAULT_CONCURRENCY = 64;
/** Domains remembered within a batch, so that a long one costs one look-up a domain without growing without end. */
const MAX_REMEMBERED_DOMAINS = 10_000;

/**
 * Validates many addresses: yields a report each, in the order of the requests, as soon as it and all before it are there. Gives way to
 * the event loop every few milliseconds; what the caller does with a report counts towards them.
 * One look-up a domain. Reads ahead by `concurrency` requests at most; leaving the loop early cancels what is in flight.
 */
export async function* validateEmails(
  requests: Iterable<ValidateEmailRequest> | AsyncIterable<ValidateEmailRequest>,
  deps: ValidateEmailDeps,
  options: ValidateEmailsOptions = {},
): AsyncGenerator<EmailReport, void, undefined> {
  const concurrency = Math.max(1, options.concurrency ?? DEFAULT_CONCURRENCY);
  const left = new AbortController();
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
  const batchDeps = { lists: deps.lists, lookupMail: rememberLookups(deps.lookupMail) };
  const inWork: (EmailReport | Promise<EmailReport>)[] = [];
  try {
    for await (const request of requests) {
      if (!hasTurnTime()) await waitForTurn();
      const report = validateEmail(request, batchDeps, signal);
      // Whoever leaves early awaits none of the rest: their rejection must not count as unhandled.
      if (report instanceof Promise) report.catch(ignore);
      inWork.push(report);
      if (inWork.length >= concurrency) yield inWork.shift() as EmailReport | Promise<EmailReport>;
    }
    for (const report of inWork) {
      if (!hasTurnTime()) await waitForTurn();
      yield report;
    }
  } finally {
    left.abort();
  }
}

function ignore(): void {}

function waitForTurn(): Promise<void> {
  return new Promise(continueInTurn);
}

/** One look-up a domain, however many addresses of the batch share it. Trouble is remembered too: it has been tried again already. */
function rememberLookups(lookupMail: LookupMail): LookupMail {
  const known = new Map<string, MailFacts | Promise<MailFacts>>();
  return (domain, signal) => {
    let facts = known.get(domain);
    if (facts === undefined) {
      facts = lookupMail(domain, signal);
      if (known.size >= MAX_REMEMBERED_DOMAINS) known.clear();
      known.set(domain, facts);
    }
    return facts;
  };
}
