/** Checks one answer against the contract: its status, its body, its headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { ERRORS } from '../../../src/errors.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** In latin1. */
  text: string;
}

/** The outcome, as `200` or `503 unavailable`, and what is wrong with it. */
export interface Checked {
  outcome: string;
  fault: string | null;
}

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;
const MEMBERS = new Set(['error', 'message', 'request_id', 'param']);
/** The errors of any request while the service is short of something. */
const REFUSALS = new Set(['timeout', 'rate_limit_exceeded', 'overloaded', 'unavailable', 'render_failed']);

/** Checks an answer. `expected` is the error that the request deserves; null if it is a good one. */
export function checkAnswer(
  answer: Answer,
  expected: string | null,
  isWhole: (text: string) => boolean,
): Checked {
  const header = findHeaderFault(answer.headers);
  if (answer.status === 200) {
    const fault =
      expected !== null ? `200 in place of ${expected}` : isWhole(answer.text) ? null : 'cut or wrong';
    return { outcome: '200', fault: header ?? fault };
  }
  const body = parseError(answer);
  if (typeof body === 'string') return { outcome: String(answer.status), fault: body };
  const isExpected = body.error === expected || REFUSALS.has(body.error);
  return {
    outcome: `${answer.status} ${body.error}`,
    fault: header ?? (isExpected ? null : `${body.error}: ${body.message}`),
  };
}

function findHeaderFault(headers: IncomingHttpHeaders): string | null {
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  const missing = RATE_HEADERS.find((name) => !/^\d+$/.test(String(headers[name])));
  return missing === undefined ? null : `no ${missing}`;
}

/** Returns the body of an error, or what is wrong with it. */
function parseError({ status, headers, text }: Answer): { error: string; message: string } | string {
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return `of type ${headers['content-type']}`;
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return `not JSON: ${text.slice(0, 100)}`;
  }
  const { error, message, request_id: id } = body;
  if (typeof error !== 'string' || typeof message !== 'string' || message === '')
    return 'no error or message';
  const row = (ERRORS as Record<string, { status: number }>)[error];
  if (row?.status !== status) return `${error} with status ${status}`;
  if (id !== headers['x-request-id']) return 'request_id is not X-Request-Id';
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) return `an unknown member ${unknown}`;
  const mustWait = status === 429 || status === 503;
  if (mustWait && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return `${error} without Retry-After`;
  return { error, message };
}
