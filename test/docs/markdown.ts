/** The Markdown files of the project: their fenced blocks, links and headings. */
import { globSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';

export const ROOT = new URL('../../', import.meta.url);

/** A fenced block. */
export interface Block {
  path: string;
  /** Of the opening fence, from 1. */
  line: number;
  language: string;
  code: string;
  /** The block that ends on the line before this one; null if there is text between them. */
  before: Block | null;
}

const markdown = new MarkdownIt({ html: true });

type Token = ReturnType<typeof markdown.parse>[number];
const SKIPPED = /^(?:node_modules|data|dist|artifacts|\..+)$/;

/** Returns the paths of all Markdown files, sorted. */
export function findPages(): string[] {
  const exclude = (name: string): boolean => SKIPPED.test(name.replace(/^.*\//, ''));
  return globSync('**/*.md', { cwd: ROOT.pathname, exclude }).toSorted();
}

export function loadPage(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** Returns the blocks of a page in their order, also those without a fence. */
export function findBlocks(path: string, text = loadPage(path)): Block[] {
  const blocks: Block[] = [];
  let end = -1;
  for (const { type, map, info, content } of markdown.parse(text, {})) {
    if ((type !== 'fence' && type !== 'code_block') || !map) continue;
    const before = map[0] === end ? (blocks.at(-1) ?? null) : null;
    blocks.push({ path, line: map[0] + 1, language: info.trim(), code: content, before });
    end = map[1];
  }
  return blocks;
}

/** Returns the targets of the links and images of a Markdown text. */
export function findLinks(text: string): string[] {
  return flatten(markdown.parse(text, {})).flatMap((token) => {
    if (token.type.startsWith('html_'))
      return [...token.content.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, target = '']) => target);
    const target = token.attrGet(token.type === 'image' ? 'src' : 'href');
    return target === null ? [] : [String(target)];
  });
}

/** Returns the anchors of a page: its own, and those that GitHub gives the headings. */
export function findAnchors(text: string): Set<string> {
  const tokens = markdown.parse(text, {});
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id));
  for (const [at, { type }] of tokens.entries()) {
    if (type !== 'heading_open') continue;
    const words = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join('');
    const anchor = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function flatten(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...flatten(token.children ?? [])]);
}
