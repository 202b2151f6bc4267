/**
 * Adds the guides to the build: each docs/guides/*.md becomes guides/<name>.html in the frame of guide.html.
 * Also adds the bar that the reference and its guides have in common.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';
import { ERRORS } from '../../src/errors.ts';

const GUIDES = fileURLToPath(new URL('../../docs/guides/', import.meta.url));
const FRAME = 'guide.html';
const BAR = '<!-- reference bar -->';

/** The pages of the reference in the order of the bar. */
const PAGES = [
  ['/reference', 'Reference'],
  ['/reference/getting-started', 'Getting started'],
  ['/reference/email', 'Email'],
  ['/reference/metadata', 'Metadata'],
  ['/reference/errors', 'Errors and retries'],
  ['/reference/limits', 'Limits and shares'],
  ['/reference/versioning', 'Versioning'],
] as const;

const MARK =
  '<svg class="reference-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="7" fill="#c8f23c"/><path d="M7.5 7h5v9.5a3.5 3.5 0 0 0 7 0V14.5h5v2a8.5 8.5 0 0 1-17 0zM19.5 7h5v5h-5z" fill="#14171a"/></svg>';

/** Returns the Vite plugin. */
export function guidePages(): Plugin {
  let folder = '';
  return {
    name: 'guide-pages',
    configResolved: (config) => void (folder = config.build.outDir),
    transformIndexHtml: (html, { path }) =>
      path.endsWith('/reference.html') ? html.replace(BAR, formatBar('/reference')) : html,
    closeBundle: () => {
      const frame = readFileSync(join(folder, FRAME), 'utf8');
      mkdirSync(join(folder, 'guides'), { recursive: true });
      for (const [name, source] of loadGuides())
        writeFileSync(join(folder, 'guides', `${name}.html`), fillFrame(frame, name, source));
      rmSync(join(folder, FRAME));
    },
  };
}

function loadGuides(): [name: string, source: string][] {
  return readdirSync(GUIDES)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, -'.md'.length), readFileSync(join(GUIDES, file), 'utf8')]);
}

function fillFrame(frame: string, name: string, source: string): string {
  const [, title = name] = /^# (.+)$/m.exec(source) ?? [];
  return frame
    .replace('<!-- guide title -->', () => title)
    .replace(BAR, () => formatBar(`/reference/${name}`))
    .replace('<!-- guide -->', () => renderGuide(source));
}

function formatBar(current: string): string {
  const links = PAGES.map(
    ([path, label]) => `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a>`,
  );
  return `<nav class="reference-bar" aria-label="Reference and guides"><a class="reference-brand" href="/">${MARK}Utility API</a><div class="reference-links">${links.join('')}<a href="/openapi.json">openapi.json</a></div></nav>`;
}

/**
 * Returns what the service has for a file that a guide links: the page of another guide, the reference for
 * the pages of docs, and the document of the API.
 */
function toServedLink(link: string): string {
  return link
    .replace(/^([a-z-]+)\.md\b/, '/reference/$1')
    .replace(/^\.\.\/(?:(?:reference|cookbook)\/\w[\w-]*|README)\.md(?:#[\w-]+)?$/, '/reference')
    .replace(/^(?:\.\.\/)+openapi\.json$/, '/openapi.json');
}

/**
 * Renders a guide. Headings get ids, and wide parts can be reached and scrolled with the keyboard. Links are
 * those of files, which work in the repository, and lead to what the service has for them.
 */
function renderGuide(source: string): string {
  const markdown = new MarkdownIt({ html: false });
  const escape = (text: string): string => markdown.utils.escapeHtml(text);
  const { normalizeLink } = markdown;
  markdown.normalizeLink = (link) => normalizeLink(toServedLink(link));
  markdown.renderer.rules.heading_open = (tokens, at) => {
    const title = tokens[at + 1]?.content ?? '';
    return `<${tokens[at]?.tag} id="${formatId(title)}">`;
  };
  markdown.renderer.rules.fence = (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    const label = info === 'json' ? 'Response' : 'Code';
    return `<pre tabindex="0" role="region" aria-label="${label} ${at}"><code>${escape(content)}</code></pre>`;
  };
  markdown.renderer.rules.table_open = (_, at) =>
    `<div class="guide-table" tabindex="0" role="region" aria-label="Table ${at}"><table>`;
  markdown.renderer.rules.table_close = () => '</table></div>';
  const table = /<!-- errors: [^]*?<!-- \/errors -->/;
  return markdown.render(source.replace(table, 'TABLE_OF_ERRORS')).replace(
    '<p>TABLE_OF_ERRORS</p>',
    formatErrorTable((text) => markdown.renderInline(text)),
  );
}

function formatId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Formats the table of errors. The id of each row is the identifier, as the type of a problem names it. */
function formatErrorTable(render: (text: string) => string): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, sentence }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${render(sentence)}</td></tr>`,
  );
  return `<div class="guide-table" tabindex="0" role="region" aria-label="All errors"><table><thead><tr><th>identifier</th><th>status</th><th>usual message</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
