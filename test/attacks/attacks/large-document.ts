/** Row 10: a legitimate document of the largest size, sent plain and with every character escaped. */
import { type Attack, firstKeys } from '../support/attack.ts';
import { floodBodies } from './json-attacks.ts';

const HTML_BYTES = 5 * 1024 * 1024;

/** Long paragraphs: the reading of the body is in question here, not the layout. */
function buildHtml(): string {
  const paragraph = `<p>${'text '.repeat(20_000)}</p>`;
  return paragraph.repeat(Math.floor(HTML_BYTES / paragraph.length));
}

const escapeAll = (text: string): string =>
  text.replace(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const LARGE_DOCUMENT: Attack = {
  name: 'legitimate_html_5_mib',
  row: '10 event loop',
  accounts: [{ plan: 'pro', keys: 1 }],
  maxTurnMs: 50,
  async run(field, signal) {
    const html = buildHtml();
    const bodies = [
      Buffer.from(JSON.stringify({ html, javascript: false })),
      Buffer.from(`{"html":"${escapeAll(html)}","javascript":false}`),
    ];
    const keys = firstKeys(field);
    await floodBodies(field, { path: '/v1/pdf/generate', bodies, keys, lanes: 2, everyMs: 1000 }, signal);
  },
};
