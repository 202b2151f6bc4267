/** The member `details` of a metadata result: its schema and its form as JSON. */
import type { PageDetails } from '#metadata';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../schema.ts';

const text = (description: string) => nullable('string', description);

export const detailsResult = strict({
  final_url: Type.String({ description: 'The URL after all redirects.' }),
  status: Type.Integer({ description: 'The HTTP status of the page.' }),
  content_type: text('The Content-Type of the page.'),
  redirects: Type.Array(strict({ url: Type.String(), status: Type.Integer() })),
  canonical: text('link rel=canonical, absolute'),
  theme_color: text('meta theme-color'),
  author: text('meta author or article:author'),
  published_time: text('article:published_time'),
  modified_time: text('article:modified_time'),
  icons: Type.Array(
    strict({ url: Type.String(), sizes: text('As declared, like 32x32.'), type: text('As declared.') }),
  ),
  images: Type.Array(
    strict({
      url: Type.String(),
      width: nullable('integer', 'Pixels.'),
      height: nullable('integer', 'Pixels.'),
      alt: text('Its description.'),
    }),
  ),
  video: Type.Array(
    strict({
      url: Type.String({ description: 'og:video or twitter:player, absolute' }),
      type: text('As declared.'),
      width: nullable('integer', 'Pixels.'),
      height: nullable('integer', 'Pixels.'),
    }),
  ),
  audio: Type.Array(
    strict({ url: Type.String({ description: 'og:audio, absolute' }), type: text('As declared.') }),
  ),
  feeds: Type.Array(strict({ url: Type.String(), title: text('As declared.'), type: text('As declared.') })),
  oembed: Type.Array(strict({ url: Type.String(), type: text('As declared.') })),
  json_ld: Type.Array(Type.Unsafe<unknown>({}), { description: 'The page’s JSON-LD blocks, parsed.' }),
  robots: text('meta robots'),
});

/** Returns the details as JSON has them. */
export function formatDetails({
  finalUrl,
  contentType,
  themeColor,
  publishedTime,
  modifiedTime,
  jsonLd,
  ...rest
}: PageDetails): Static<typeof detailsResult> {
  return {
    ...rest,
    final_url: finalUrl,
    content_type: contentType,
    theme_color: themeColor,
    published_time: publishedTime,
    modified_time: modifiedTime,
    json_ld: jsonLd,
  };
}
