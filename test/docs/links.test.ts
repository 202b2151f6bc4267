/** The links of the docs, of the served pages and of the OpenAPI document lead somewhere. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';
import { GUIDES } from '../../src/http/dashboard.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findAnchors, findLinks, findPages, loadPage, ROOT } from './markdown.ts';

const isExternal = (link: string): boolean => /^[a-z][a-z+.-]*:/i.test(link);

const links = findPages().flatMap((page) => findLinks(loadPage(page)).map((link) => ({ page, link })));

/** Returns what is wrong with a link of a file; empty if it leads to a file, and to a heading of it. */
function findFault(page: string, link: string): string {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? new URL(page, ROOT) : new URL(path, new URL(page, ROOT));
  if (!target.href.startsWith(ROOT.href)) return `${page}: ${link} leads out of the project`;
  if (!existsSync(target)) return `${page}: ${link} does not exist`;
  if (anchor === undefined) return '';
  const anchors = target.pathname.endsWith('.md') ? findAnchors(readFileSync(target, 'utf8')) : new Set();
  return anchors.has(decodeURIComponent(anchor)) ? '' : `${page}: ${link} has no such anchor`;
}

describe('the docs', () => {
  it('have relative links to files and headings that exist', () => {
    const relative = links.filter(({ link }) => !isExternal(link));
    assert.ok(relative.length > 100);
    const faults = relative.map(({ page, link }) => findFault(page, link));
    assert.deepEqual(faults.filter(Boolean), []);
  });

  it('have external links to public hosts by https', (t) => {
    const external = new Set(links.filter(({ link }) => isExternal(link)).map(({ link }) => link));
    assert.ok(external.size > 10);
    for (const link of external) {
      const { protocol, hostname, username } = new URL(link);
      assert.equal(protocol, 'https:', link);
      assert.match(hostname, /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/, link);
      assert.equal(username, '', link);
    }
    t.diagnostic(`external links, which no test opens:\n${[...external].toSorted().join('\n')}`);
  });

  it('are named with pages and headings that exist, by the code and the examples of deployment', () => {
    const files = globSync(
      ['{src,scripts,dashboard/src,client/src,deploy}/**/*.*', '*.{yaml,md}', '.env.example'],
      {
        cwd: ROOT.pathname,
      },
    ).filter((file) => /\.(?:ts|tsx|mjs|yaml|json|conf|sh|md|example|service)$/.test(file));
    let count = 0;
    for (const file of files)
      for (const [link] of loadPage(file).matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)) {
        assert.equal(findFault('README.md', link), '', `${file} names it`);
        count += 1;
      }
    assert.ok(count > 30);
  });

  it('and the code name scripts that package.json has', () => {
    const { scripts } = JSON.parse(loadPage('package.json')) as { scripts: Record<string, string> };
    const files = globSync(
      ['{src,scripts,dashboard/build,deploy,test}/**/*.*', '*.{yaml,json}', 'Dockerfile'],
      {
        cwd: ROOT.pathname,
      },
    ).filter((file) => /(?:\.(?:ts|mjs|yaml|json|service)|Dockerfile)$/.test(file));
    let count = 0;
    for (const file of [...files, ...findPages()])
      for (const [, name = ''] of loadPage(file).matchAll(
        /\bnpm run (?:--silent )?([a-z]\w*(?:[:-]\w+)*)\b(?!:\$)/g,
      )) {
        assert.ok(name in scripts, `${file} names npm run ${name}`);
        count += 1;
      }
    // The programs of `npm run bench -- <name>` and the like have rows in a table.
    const programs = loadPage('scripts/run-one.ts').replaceAll(/\[\s+/g, '[');
    for (const file of [...files, ...findPages()])
      for (const [command, name] of loadPage(file).matchAll(
        /\bnpm (?:run (?:bench|docs|lists|lint)|test) -- ([a-z][\w-]*)/g,
      ))
        assert.ok(programs.includes(`['${name}',`), `${file} names ${command}`);
    assert.ok(count > 50);
  });
});

describe('the service', () => {
  let service: TestApp;
  before(async () => {
    service = await startApp();
  });
  after(() => service[Symbol.asyncDispose]());

  const responses = new Map<string, Promise<{ status: number; ids: Set<string> }>>();

  /** Fails unless the service has this page, with the anchor of the link. */
  async function checkServed(link: string, page: string): Promise<void> {
    const { origin, pathname, search, hash } = new URL(link, service.url + page);
    if (origin !== service.url) return assert.match(link, /^https:/, page);
    const path = pathname + search;
    const known = responses.get(path) ?? service.call(path).then(readIds);
    responses.set(path, known);
    const { status, ids } = await known;
    assert.equal(status, 200, `${page} links ${link}`);
    if (hash !== '') assert.ok(ids.has(hash.slice(1)), `${page} links ${link}, which has no such id`);
  }

  it('serves what its pages link and load', async () => {
    for (const page of ['/', '/reference', ...GUIDES.map((guide) => `/reference/${guide}`)]) {
      const targets = findTargets(parse(await (await service.call(page)).text()));
      assert.ok(targets.length > 0, page);
      // Guides link files, so that their links work in the repository too: none is left in the page.
      assert.deepEqual(
        targets.filter((target) => /\.md\b|^\.\./.test(target)),
        [],
        page,
      );
      for (const target of targets) await checkServed(target, page);
    }
  });

  it('serves what the descriptions of the OpenAPI document link', async () => {
    const found = findTexts(JSON.parse(await formatOpenApiDoc())).flatMap(findLinks);
    assert.deepEqual(findTexts({ a: { description: '[b](/c)' } }).flatMap(findLinks), ['/c']);
    for (const link of found) await checkServed(link, '/openapi.json');
  });
});

async function readIds(response: Response): Promise<{ status: number; ids: Set<string> }> {
  const text = await response.text();
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  const ids = isPage ? findAttributes(parse(text), ['id']) : [];
  return { status: response.status, ids: new Set(ids) };
}

function findTargets(document: DefaultTreeAdapterTypes.Document): string[] {
  return findAttributes(document, ['href', 'src']).filter((target) => !target.startsWith('data:'));
}

function findAttributes(node: DefaultTreeAdapterTypes.Node, names: readonly string[]): string[] {
  const own = 'attrs' in node ? node.attrs.filter(({ name }) => names.includes(name)) : [];
  const children = 'childNodes' in node ? node.childNodes : [];
  return [...own.map(({ value }) => value), ...children.flatMap((child) => findAttributes(child, names))];
}

/** Returns the texts in which an OpenAPI document may have Markdown, and the addresses of other documents. */
function findTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return name === 'description' ? [value] : name === 'url' ? [`<${value}>`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([member]) => !/^examples?$/.test(member))
    .flatMap(([member, child]) => findTexts(child, member));
}
