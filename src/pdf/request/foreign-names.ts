import type { Aliases } from '#options';

/**
 * The members that the names of other PDF services and libraries mean. The names are without case and
 * separators.
 */
const FOREIGN_NAMES: Readonly<Record<string, readonly string[]>> = {
  attachments: ['attach', 'embeds', 'files'],
  print_background: ['background'],
  data: ['context', 'variables'],
  wait_for: ['delay', 'waitforselector', 'waitfortimeout'],
  'header_html or footer_html': ['displayheaderfooter'],
  more_documents: ['documents'],
  media: ['emulatemedia', 'emulatemediatype', 'mediatype'],
  template: ['engine'],
  footer_html: ['footer', 'footertemplate'],
  page_size: ['format', 'paperformat', 'papersize', 'size'],
  header_html: ['header', 'headertemplate'],
  page_height: ['height', 'paperheight'],
  facturx: ['invoice', 'zugferd'],
  javascript: ['js'],
  orientation: ['landscape'],
  lang: ['language', 'locale'],
  'margin_top, margin_right, margin_bottom or margin_left': ['margin', 'margins'],
  filename: ['name'],
  page_ranges: ['pages'],
  page_width: ['paperwidth', 'width'],
  pdfa: ['pdfprofile', 'pdfvariant'],
  tagged: ['pdfua'],
  css: ['styles', 'stylesheet'],
  password: ['userpassword'],
  wait_for_expression: ['waitforfunction'],
  'wait_for or wait_for_expression': ['waituntil'],
  watermark_html: ['watermark'],
  scale: ['zoom'],
};
/** The meaning of each of those names. */
export const ALIASES: Aliases = Object.fromEntries(
  Object.entries(FOREIGN_NAMES).flatMap(([meant, names]) => names.map((name) => [name, meant])),
);
