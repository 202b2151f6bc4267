import type { PdfRequest } from '../pdf-request.ts';
import { computeDeadlineMs, type DeadlineLimits } from './deadline.ts';
import { mayRunScripts } from './may-run-scripts.ts';

/** Formats the error of a document that was not rendered before its deadline. */
export function formatTimeout(request: PdfRequest, limits: DeadlineLimits): string {
  const { timeoutMs: maxMs } = limits;
  const limitMs = computeDeadlineMs(request, limits);
  const advice = ['make it smaller'];
  if (request.waitForExpression !== null) advice.unshift('check wait_for_expression for loops without end');
  const documents = [request, ...request.moreDocuments];
  if (documents.some(({ html }) => mayRunScripts(request, html)))
    advice.unshift('check its scripts for loops without end');
  if (request.waitFor !== null && 'milliseconds' in request.waitFor) advice.push('shorten wait_for');
  else if (limitMs < maxMs)
    advice.push(
      `send a selector as wait_for, such as "body", which raises the limit to ${formatSeconds(maxMs)}`,
    );
  const last = advice.pop();
  const all = advice.length === 0 ? last : `${advice.join(', ')}, or ${last}`;
  return `The document did not finish rendering within ${formatSeconds(limitMs)}: ${all}.`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
