/** The member `details` of a metadata result as JSON. */
import type { FileDetails, OembedResponse, PageDetails } from '#metadata';
import type { Static } from 'typebox';
import type { strict } from '../schema.ts';
import type { detailsResult, fileMembers, oembedMembers } from './metadata-details-schema.ts';

/** Returns the details as JSON has them. */
export function formatDetails({
  finalUrl,
  contentType,
  themeColor,
  publishedTime,
  publishedTimeRaw,
  modifiedTime,
  modifiedTimeRaw,
  articleTags,
  localeAlternates,
  appLinks,
  jsonLd,
  contentLength,
  oembedResponse: embed,
  file,
  ...rest
}: PageDetails): Static<typeof detailsResult> {
  return {
    ...rest,
    final_url: finalUrl,
    content_type: contentType,
    theme_color: themeColor,
    published_time: publishedTime,
    published_time_raw: publishedTimeRaw,
    modified_time: modifiedTime,
    modified_time_raw: modifiedTimeRaw,
    article_tags: articleTags,
    locale_alternates: localeAlternates,
    app_links: appLinks,
    json_ld: jsonLd,
    content_length: contentLength,
    file: file === null ? null : formatFile(file),
    oembed_response: embed === null ? null : formatOembed(embed),
  };
}

/** Formats a file. The members `pages` and `duration_seconds` are deprecated and always null. */
function formatFile(file: FileDetails): Static<ReturnType<typeof strict<typeof fileMembers>>> {
  return { ...file, pages: null, duration_seconds: null };
}

function formatOembed(response: OembedResponse): Static<ReturnType<typeof strict<typeof oembedMembers>>> {
  const { authorName, authorUrl, providerName, providerUrl, photoUrl, ...others } = response;
  const { thumbnailUrl, thumbnailWidth, thumbnailHeight, ...rest } = others;
  return {
    ...rest,
    author_name: authorName,
    author_url: authorUrl,
    provider_name: providerName,
    provider_url: providerUrl,
    thumbnail_url: thumbnailUrl,
    thumbnail_width: thumbnailWidth,
    thumbnail_height: thumbnailHeight,
    photo_url: photoUrl,
  };
}
