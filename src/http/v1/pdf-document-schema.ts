/** The schemas of the documents of a PDF request. */
import { MAX_MORE_DOCUMENTS } from '#pdf/request';
import { Type } from 'typebox';
import { choice, strict } from '../schema.ts';

const length = (what: string, fallback: { default?: string }) =>
  Type.Optional(
    Type.String({
      ...fallback,
      examples: ['12mm'],
      description: `${what} margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0.`,
    }),
  );

const sheetSide = (what: string, other: string, example: string) =>
  Type.Optional(
    Type.String({
      examples: [example],
      description: `${what} of a sheet of another size: a CSS length from 10mm to 5080mm, together with ${other} and without page_size.`,
    }),
  );

/** Returns the members of a sheet. The defaults of a later document are the members of the request. */
const createSheetMembers = (isFirst: boolean) => {
  const fallback = <T extends string>(value: T): { default?: T } => (isFirst ? { default: value } : {});
  return {
    page_size: Type.Optional(
      choice(['A4', 'Letter', 'Legal', 'A3', 'A5'], {
        ...fallback('A4'),
        examples: ['Letter'],
        description: 'The sheet.',
      }),
    ),
    page_width: sheetSide('Width', 'page_height', '80mm'),
    page_height: sheetSide('Height', 'page_width', '200mm'),
    orientation: Type.Optional(
      choice(['portrait', 'landscape'], {
        ...fallback('portrait'),
        examples: ['landscape'],
        description: 'landscape makes the longer side of the sheet its width.',
      }),
    ),
    margin_top: length('Top', fallback('20mm')),
    margin_bottom: length('Bottom', fallback('20mm')),
    margin_left: length('Left', fallback('15mm')),
    margin_right: length('Right', fallback('15mm')),
  };
};

const laterDocument = strict(
  {
    html: Type.String({ examples: ['<h1>Terms</h1>'], description: 'HTML content of this document.' }),
    ...createSheetMembers(false),
  },
  {
    title: 'PdfDocument',
    description: 'A document that follows in the same PDF. A member that it leaves out is as in the request.',
  },
);

export const documentMembers = {
  html: Type.String({
    examples: ['<h1>Invoice 2026-117</h1>'],
    description:
      'HTML content to convert; at most 5 MiB (5,242,880 bytes of UTF-8), together with that of more_documents.',
  }),
  more_documents: Type.Optional(
    Type.Array(laterDocument, {
      maxItems: MAX_MORE_DOCUMENTS,
      examples: [[{ html: '<h1>Terms</h1>', page_size: 'A5' }]],
      description:
        'Documents that follow in the same PDF, each with a sheet and margins of its own. Each counts as one request.',
    }),
  ),
  ...createSheetMembers(true),
};
