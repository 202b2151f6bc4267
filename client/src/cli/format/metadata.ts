/** The metadata of a page for people: aligned fields. */
import type { PageMetadata, PageMetadataDetails } from '../../index.ts';
import { toPlainText } from '../plain-text.ts';
import type { Style } from '../style.ts';
import { type Field, formatFields } from './fields.ts';

/** Formats a page as lines. */
export function formatMetadata(page: PageMetadata, style: Style): string {
  const { og, twitter, details } = page;
  const head = `${style('bold', toPlainText(page.title ?? page.url))}\n`;
  return (
    head +
    formatFields(
      [
        ['URL', page.url],
        ['Description', page.description],
        ['Favicon', page.favicon],
        ['Language', page.language],
        ['Charset', page.charset],
        ...listTags('og', og),
        ...listTags('twitter', twitter),
        ...(details ? listDetails(details) : []),
      ],
      style,
    )
  );
}

function listTags(prefix: string, tags: object): Field[] {
  return Object.entries(tags).map(([name, value]) => [`${prefix}:${name}`, value as string | null]);
}

function listDetails(details: PageMetadataDetails): Field[] {
  return [
    ['Status', details.status],
    ['Final URL', details.final_url],
    ['Type', details.content_type],
    ['Redirects', details.redirects.length],
    ['Canonical', details.canonical],
    ['Author', details.author],
    ['Publisher', details.publisher],
    ['Published', details.published_time],
    ['Theme color', details.theme_color],
    ['Rendered', details.rendered ? 'yes' : null],
    ['Truncated', details.truncated ? 'yes' : null],
  ];
}
