/** The cause of each error of the request log, and its remedy. Names of the API are between backticks. */
import type { LoggedRequest } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';

/** The cause, in the past tense, and what to do. */
export interface Explanation {
  cause: string;
  remedy: string;
}

type Explain = Explanation | ((request: LoggedRequest) => Explanation);

const say = (cause: string, remedy: string): Explanation => ({ cause, remedy });

/** By identifier; `disconnected` is no error of the API, but of the log. */
export const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  invalid_email: say(
    'The `email` parameter was missing or empty. A malformed address is not an error: it is reported as not valid.',
    'Send the address as `?email=…`, percent-encoded.',
  ),
  invalid_url: say(
    'The `url` was not an absolute http:// or https:// URL, or had credentials, control characters or more than 4,096 characters.',
    'Send it with its scheme, percent-encoded. Check what your program sends if the value is empty.',
  ),
  missing_html: say(
    'The body had no `html`, or it was blank.',
    'Send a JSON object whose `html` is the document. Check whether the template that fills it was empty.',
  ),
  invalid_page_size: say(
    'The `page_size` was none of A4, Letter, Legal, A3 and A5.',
    'Use one of these names: case matters.',
  ),
  invalid_json: say(
    'The body was not valid JSON in UTF-8.',
    'Build it with a JSON library instead of joining text, and check that nothing cuts it off on the way.',
  ),
  invalid_parameter: explainParameter,
  unauthorized: say(
    'The key may not make this call: it expired or was revoked, or it is restricted to other operations or networks.',
    'Look at its state and restrictions on the Keys page, or use another key.',
  ),
  forbidden_origin: say(
    'The call to `/mcp` had an Origin header that does not name this service: a web page of another site made it.',
    'Call it from a server or a desktop program, which sends no such header. For pages of this service, the operator sets `PUBLIC_URL`.',
  ),
  not_found: say(
    'No operation has this path.',
    'Compare the path with the reference. Often the version or a slash at the end is wrong.',
  ),
  method_not_allowed: say(
    'The path exists, but not with this method.',
    'Use a method of the `Allow` header of the response.',
  ),
  timeout: explainTimeout,
  payload_too_large: say(
    'The body, or a member of it, was larger than the operation takes.',
    'Send less: move images out of the HTML into URLs, or split the batch. The reference has the limits.',
  ),
  unsupported_media_type: say(
    'The body was not sent as JSON, or was compressed.',
    'Send `Content-Type: application/json` without a `Content-Encoding`.',
  ),
  unreachable: explainUnreachable,
  render_failed: say(
    'The document navigated away, closed itself, crashed its renderer or used up its memory.',
    'Try it again with less: fewer or smaller images, no endless loops in scripts. Try it shows its warnings.',
  ),
  rate_limit_exceeded: explainLimit,
  internal: say(
    'The service failed. This is not caused by your request.',
    'Try again. If it goes on, send the operator the request ID.',
  ),
  overloaded: say(
    'The service was at its capacity, and waiting would have taken too long.',
    'Try again after the seconds of `Retry-After`. Send fewer requests at once.',
  ),
  unavailable: say(
    'A part of the service that this operation needs was not available.',
    'Try again after the seconds of `Retry-After`. If it goes on, tell the operator.',
  ),
  disconnected: ({ ms }) =>
    say(
      `The client closed the connection after ${formatNumber(ms)} ms, before the response.`,
      'If this was not intended, raise the timeout of the client or of the proxy before it.',
    ),
};

/** Returns the cause and the remedy of a failed request, or null if it succeeded. */
export function explainRequest(request: LoggedRequest): Explanation | null {
  if (request.error === null) return null;
  const found = EXPLANATIONS[request.error];
  if (found === undefined) return null;
  return typeof found === 'function' ? found(request) : found;
}

function explainParameter({ param }: LoggedRequest): Explanation {
  const name =
    param === null ? 'A parameter' : param === 'unknown' ? 'A parameter that does not exist' : `\`${param}\``;
  return param === 'unknown'
    ? say(
        'The request had a parameter that the operation does not have.',
        'Compare its spelling with the reference.',
      )
    : say(
        `${name} had a value that is not allowed.`,
        'The message of the response says what is allowed, and so does the reference.',
      );
}

/** The last phase that was measured is the one in which the time ran out. */
function explainTimeout({ operation, phases, timeout_ms: timeoutMs }: LoggedRequest): Explanation {
  const limit = timeoutMs === null ? 'the time limit' : `${formatNumber(timeoutMs)} ms`;
  const last = phases.at(-1)?.phase;
  if (operation === 'generatePdf') {
    return say(
      last === 'print'
        ? `The document was loaded, but printing it took longer than ${limit}.`
        : last === 'queue'
          ? `The document waited for a free browser for ${limit}.`
          : `The document was still loading after ${limit}.`,
      'Look for slow images and styles, scripts that never end, and very long tables.',
    );
  }
  const causes: Partial<Record<string, string>> = {
    queue: `The request waited for its turn for ${limit}.`,
    dns: `The name of the host was not resolved within ${limit}.`,
    connect: `The host did not accept a connection within ${limit}.`,
    first_byte: `The page accepted the connection and sent nothing within ${limit}.`,
    body: `The page was still sending after ${limit}.`,
    render: `The scripts of the page were still running after ${limit}.`,
  };
  return say(
    causes[last ?? ''] ?? `The work did not finish within ${limit}.`,
    operation === 'getMetadata'
      ? 'Raise `timeout` (30,000 ms at most), or try again later.'
      : 'Try again later, or send less at once.',
  );
}

function explainUnreachable({ phases }: LoggedRequest): Explanation {
  const has = (name: string) => phases.some(({ phase }) => phase === name);
  const cause = has('first_byte')
    ? 'The host closed the connection before the page was complete.'
    : has('connect')
      ? 'The host refused the connection, or its certificate is not valid.'
      : has('dns')
        ? 'The name of the host does not resolve, or resolves to an address that is not public.'
        : 'The URL could not be reached.';
  return say(
    cause,
    'Open the URL in a browser. If it works there, the site may block servers, or be down at times.',
  );
}

function explainLimit({ limit_per_minute: limit, limit_remaining: remaining }: LoggedRequest): Explanation {
  if (limit !== null && remaining !== null && remaining > 0) {
    return say(
      'The account had used what its plan allows.',
      'Wait for the seconds of `Retry-After`, or ask the operator for a larger plan.',
    );
  }
  return say(
    `The key had used ${limit === null ? 'its limit' : `its ${formatNumber(limit)} requests`} of this minute.`,
    'Wait for the seconds of `Retry-After`, spread the calls, or use a batch or a larger plan.',
  );
}
