import { ApiError, type ErrorCode } from '#errors';
import type { ResourceBudget, ResourceFailure } from '#browser';
import { describeFailure, Refusal } from './guard/refusal.ts';

/** Errors of this process and of the account, not of the resource. */
const OWN_FAILURES: Partial<Record<ErrorCode, string>> = {
  overloaded: 'could not be fetched: the service is at its capacity',
  rate_limit_exceeded: 'could not be fetched: this account is over the share of connections to one host',
};

/** Returns the failure of a resource, in the words that metadata has for the same failure of a page. */
export function toResourceFailure(error: unknown, signal: AbortSignal): ResourceFailure {
  const own = error instanceof ApiError ? OWN_FAILURES[error.code] : undefined;
  if (own !== undefined) return { failure: own };
  return { failure: signal.aborted ? 'did not answer in time' : describeFailure(error) };
}

const MEBIBYTE = 1024 * 1024;

/** The refusals of resources that pages do not have. */
export const RESOURCE_REFUSALS = {
  url: () => createRefusal('has a URL that is not valid, or longer than 4,096 characters'),
  method: () => createRefusal('was requested with a method that is not supported'),
  requests: ({ maxRequests }: ResourceBudget) =>
    createRefusal(`was not fetched: a document may make ${maxRequests} requests`),
  bytes: ({ maxBytes }: ResourceBudget) =>
    createRefusal(
      `was not fetched: the resources of a document may have ${Math.floor(maxBytes / MEBIBYTE)} MiB together`,
    ),
  cut: () => createRefusal('could not be read: its host disconnected before its end'),
};

function createRefusal(publicFailure: string): Refusal {
  return new Refusal(publicFailure, { publicFailure });
}
