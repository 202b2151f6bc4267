/** Examples of errors: of the options of a PDF, then of each operation. */
import { EMAIL_OPTIONS } from '#email';
import { ApiError, type ErrorCode } from '#errors';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionRow, OptionTable } from '#options';
import { parsePdfRequest, PDF_OPTIONS } from '#pdf/request';
import type { ErrorExample } from '../../error-responses.ts';
import { createQueryParser, formatTarget } from '../../query.ts';
import { createQuerySchema } from '../operation-options.ts';

type Examples = Readonly<Record<string, ErrorExample>>;

/** Returns how the options that the rows of a table name are refused, by option. */
function refuseOptions(
  table: OptionTable,
  parse: (options: Readonly<Record<string, unknown>>) => unknown,
): Examples {
  const refused = Object.entries<OptionRow>(table).filter(([, row]) => row.refused !== undefined);
  return Object.fromEntries(refused.map(([name, row]) => [name, catchError(() => parse(row.refused ?? {}))]));
}

function catchError(work: () => unknown): ErrorExample {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError && error.param !== undefined)
      return { message: error.message, param: error.param };
    throw error;
  }
  throw new Error('The options in `refused` of a row are accepted.');
}

const createParser = (table: OptionTable) => {
  const parse = createQueryParser(createQuerySchema({}, table));
  return (options: Readonly<Record<string, unknown>>) => parse(formatTarget('', options));
};
const EMAIL_REFUSALS = refuseOptions(EMAIL_OPTIONS, createParser(EMAIL_OPTIONS));
const METADATA_REFUSALS = refuseOptions(METADATA_OPTIONS, createParser(METADATA_OPTIONS));
const {
  page_size: PAGE_SIZE,
  margin_top: MARGIN,
  watermark_html: WATERMARK,
  ...PDF_REFUSALS
} = refuseOptions(PDF_OPTIONS, (options) => parsePdfRequest({ html: '<h1>Hello</h1>', ...options }));

const PDF_OPTION_SIZES: Examples = {
  more_documents: {
    message:
      'html and the html of more_documents together may have at most 5 MiB (5,242,880 bytes of UTF-8): send smaller documents.',
    param: 'more_documents[0].html',
  },
  data: { message: 'data must be at most 1 MiB of JSON.', param: 'data' },
  watermark: {
    message: 'watermark_html must be at most 512 KiB of UTF-8: it has 524,289 bytes.',
    param: 'watermark_html',
  },
  attachments: {
    message: 'attachments may have at most 20 MiB (20,971,520 bytes, decoded) together: send smaller files.',
    param: 'attachments[0].base64',
  },
};

const PDF_OPTION_RENDERS: Examples = {
  strict: {
    message:
      'The document has warnings, which strict refuses: A link shows no page number, as its target is on no page: #outlook.',
  },
};

/**
 * The errors of each operation, with an example of each as the service sends it: a test provokes each of
 * them. An empty example has the sentence of the table of errors.
 */
type ErrorExamples = Partial<Record<ErrorCode, ErrorExample>>;

const GET_ONLY = { message: 'This path does not support this method: use GET, HEAD.' };
const POST_ONLY = { message: 'This path does not support this method: use POST.' };
const EMAIL_OVERLOADED = {
  message:
    'This server is busy with other accounts, which use up its email validations in progress, each within its share: try again after the number of seconds in Retry-After.',
};
const METADATA_OVERLOADED = {
  message:
    'This server is busy with other accounts, which use up its metadata requests in progress, each within its share: try again after the number of seconds in Retry-After.',
};
const SLOW_BODY = { message: 'The body did not arrive in time: send it without pauses.' };

/** The errors of a body that do not depend on its operation. */
const BODY_ERRORS = {
  invalid_json: {},
  unsupported_media_type: {},
  method_not_allowed: POST_ONLY,
} satisfies ErrorExamples;

export const VALIDATE_EMAIL_ERRORS: ErrorExamples = {
  invalid_email: {
    message: 'The email parameter is missing: send the address to validate as ?email=…, percent-encoded.',
    param: 'email',
  },
  invalid_parameter: { ...EMAIL_REFUSALS['check_mx'] },
  method_not_allowed: GET_ONLY,
  overloaded: EMAIL_OVERLOADED,
};

export const VALIDATE_EMAIL_BATCH_ERRORS: ErrorExamples = {
  ...BODY_ERRORS,
  invalid_parameter: { message: 'emails must be a list of 1 to 1000 strings.', param: 'emails' },
  timeout: SLOW_BODY,
  payload_too_large: {
    message: 'The body is over 4 MiB (4,194,304 bytes), the most that this operation takes: send less.',
  },
  overloaded: EMAIL_OVERLOADED,
};

export const GET_METADATA_ERRORS: ErrorExamples = {
  invalid_url: {
    message: 'The URL is not absolute or has another protocol: begin it with http:// or https:// and a host.',
    param: 'url',
  },
  invalid_parameter: { ...METADATA_REFUSALS['timeout'] },
  method_not_allowed: GET_ONLY,
  timeout: {
    message: 'The target URL did not answer within 1000 ms: try again, or with a larger timeout.',
  },
  unreachable: {
    message: 'The target URL could not be reached: its name does not resolve, or its host does not answer.',
  },
  overloaded: METADATA_OVERLOADED,
  unavailable: {
    message:
      'Pages cannot be rendered: the service has no browser. Try again after Retry-After, or without render=true.',
  },
};

export const GET_METADATA_BATCH_ERRORS: ErrorExamples = {
  ...BODY_ERRORS,
  invalid_parameter: { message: 'urls must be a list of 1 to 100 strings.', param: 'urls' },
  timeout: SLOW_BODY,
  payload_too_large: {
    message: 'The body is over 3 MiB (3,145,728 bytes), the most that this operation takes: send less.',
  },
  overloaded: METADATA_OVERLOADED,
};

export const GENERATE_PDF_ERRORS: ErrorExamples = {
  missing_html: { param: 'html' },
  invalid_page_size: { ...PAGE_SIZE },
  ...BODY_ERRORS,
  invalid_parameter: {
    ...MARGIN,
    others: {
      ...PDF_REFUSALS,
      watermark: { ...WATERMARK },
      template: {
        message: 'Line 1, column 4 of html: the tag "for" is not closed: add {% endfor %}.',
        param: 'html',
      },
    },
  },
  timeout: {
    message:
      'The document did not finish rendering within 10 s: check its scripts for loops without end, make it smaller, or send a selector as wait_for, such as "body", which raises the limit to 30 s.',
  },
  payload_too_large: {
    message: 'html may have at most 5 MiB (5,242,880 bytes of UTF-8): send a smaller document.',
    param: 'html',
    others: PDF_OPTION_SIZES,
  },
  render_failed: {
    message: 'The document closed itself: remove its call of window.close().',
    others: PDF_OPTION_RENDERS,
  },
  overloaded: {
    message:
      'This server is busy with other accounts, which use up its PDF requests in progress, each within its share: try again after the number of seconds in Retry-After.',
  },
  unavailable: {
    message:
      'PDF generation is not available: the service has no browser to render with. Try again after Retry-After.',
  },
};
