/** Errors of the options of a PDF that go beyond its sheet: an example of each kind, by its option. */
import type { ErrorExample } from '../../error-responses.ts';

type Examples = Readonly<Record<string, ErrorExample>>;

export const PDF_OPTION_PARAMETERS: Examples = {
  template: {
    message: 'Line 1, column 4 of html: the tag "for" is not closed: add {% endfor %}.',
    param: 'html',
  },
  data: { message: 'data fills a template: send template with the value "liquid" too.', param: 'data' },
  more_documents: {
    message: 'more_documents must be an array of at most 19 objects, such as {"html": "<h1>Terms</h1>"}.',
    param: 'more_documents',
  },
  watermark: {
    message: 'watermark_position needs watermark_html: send both.',
    param: 'watermark_position',
  },
  attachments: {
    message:
      "attachments[0]: base64 must be the file's bytes in base64 (RFC 4648): padded with =, without white space or line breaks.",
    param: 'attachments[0].base64',
  },
  password: {
    message: 'password cannot be combined with pdfa: PDF/A excludes encryption. Leave one of them out.',
    param: 'password',
  },
  permissions: {
    message: 'permissions need owner_password, which lifts them: send both.',
    param: 'permissions',
  },
  pdfa: { message: 'pdfa must be "3b".', param: 'pdfa' },
  facturx: {
    message: 'facturx.xml has a DOCTYPE: send it without one, and without entities.',
    param: 'facturx.xml',
  },
};

export const PDF_OPTION_SIZES: Examples = {
  more_documents: {
    message:
      'html and the html of more_documents together may have at most 5 MiB (5,242,880 bytes of UTF-8): send smaller documents.',
    param: 'more_documents[0].html',
  },
  data: { message: 'data must be at most 1 MiB of JSON.', param: 'data' },
  watermark: { message: 'watermark_html must be at most 512 KiB of UTF-8.', param: 'watermark_html' },
  attachments: {
    message: 'attachments may have at most 20 MiB (20,971,520 bytes, decoded) together: send smaller files.',
    param: 'attachments[0].base64',
  },
};

export const PDF_OPTION_RENDERS: Examples = {
  strict: {
    message:
      'The document has warnings, which strict refuses: A link shows no page number, as its target is on no page: #outlook.',
  },
};
