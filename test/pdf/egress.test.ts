import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sample } from '../support/sample.ts';
import { readEgressCases } from '../support/site-cases.ts';
import type { NamespaceInput, NamespaceOutput } from './support/render-in-namespace.ts';

const cases = readEgressCases();
const isRoot = process.getuid?.() === 0;
/**
 * Text that only a file of this machine, its environment or a page of the browser itself could have brought
 * in.
 */
const LEAKS = [
  /root:x:0/,
  /LD_LIBRARY_PATH|FONTCONFIG_FILE/,
  /V8|JavaScript|Command Line/i,
  new RegExp(`^${readFileSync('/etc/hostname', 'utf8').trim()}$`, 'm'),
];

/** Time enough for a script to try what it wants. */
const WAIT_MS = 100;

/** The body of a request, and the kind of what it tries. */
interface Attack {
  kind: string;
  body: Record<string, unknown>;
}

/** The URL that one attack requests, which must arrive at the guarded fetcher. */
const FETCHED = 'http://10.0.0.5/bg';

/** Twelve addresses a document, each as image, style, frame, script and fetch. */
function subresourceAttacks(): Attack[] {
  const urls = cases.filter(({ surface }) => surface.includes('pdf-subresource')).map(({ input }) => input);
  const attacks: Attack[] = [];
  for (let at = 0; at < urls.length; at += 12) {
    const some = urls.slice(at, at + 12);
    const quoted = some.map((url) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
    const html = `${quoted.map((url) => `<img src="${url}"><link rel=stylesheet href="${url}"><iframe src="${url}"></iframe><object data="${url}"></object>`).join('')}
      <script>for (const url of ${JSON.stringify(some).replaceAll('</', '<\\/')}) { fetch(url, {mode: 'no-cors'}).catch(() => {}); try { new WebSocket(url.replace(/^http/, 'ws')) } catch {} }</script><p>body`;
    attacks.push({ kind: 'resources', body: { html, wait_for: WAIT_MS } });
  }
  return attacks;
}

/** Renders in a child that sits in a namespace where every packet is counted. */
async function renderInNamespace(inputs: readonly NamespaceInput[]): Promise<NamespaceOutput[]> {
  const script = fileURLToPath(new URL('support/render-in-namespace.ts', import.meta.url));
  const child = spawn('unshare', ['--net', '--', process.execPath, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(inputs));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as NamespaceOutput[];
}

void describe(
  'no document makes the browser send a packet',
  { skip: isRoot ? false : 'counting packets needs root' },
  () => {
    const html = cases.filter(({ surface }) => surface === 'pdf-html');
    const templates = cases.filter(({ surface }) => surface === 'pdf-header-footer');
    const attacks: Attack[] = [
      ...html.map(({ input, category }) => ({
        kind: input.includes(FETCHED) ? 'fetched' : category,
        body: { html: input, wait_for: WAIT_MS },
      })),
      ...templates.flatMap(({ input }) => [
        { kind: 'header', body: { html: '<p>x', header_html: input } },
        { kind: 'footer', body: { html: '<p>x', footer_html: input } },
      ]),
      ...subresourceAttacks(),
    ];

    // A sample unless TEST_FULL=1; one of each kind in an empty namespace, where the kernel blocks all.
    const runs = [true, false].map((useNetworkNamespace) => {
      const some = sample(attacks, useNetworkNamespace ? attacks.length : 8, ({ kind }) => kind);
      return { useNetworkNamespace, bodies: some.map(({ body }) => body) };
    });
    let outputs: NamespaceOutput[] = [];
    before(async () => {
      outputs = await renderInNamespace(runs);
    });

    for (const [index, { useNetworkNamespace, bodies }] of runs.entries()) {
      void it(`${useNetworkNamespace ? 'in an empty network namespace' : 'with its flags alone'}, over up to ${attacks.length} attacks`, () => {
        const output = outputs[index] ?? assert.fail();
        assert.equal(output.network, useNetworkNamespace ? 'namespace' : 'flags');
        assert.ok(output.controlPackets >= 2, 'packets are seen at all');
        assert.equal(output.packets, 0);
        output.results.forEach(({ text, error }, at) => {
          const {
            html,
            header_html: header,
            footer_html: footer,
          } = bodies[at] as { html: string; header_html?: string; footer_html?: string };
          const name = `${html.slice(0, 200)} ${header ?? footer ?? ''}`;
          if (/<link/.test(header ?? footer ?? '')) assert.equal(error, 'invalid_parameter', name);
          else assert.ok(text !== undefined || error === 'render_failed', `${name}: ${error}`);
          for (const leak of LEAKS) assert.doesNotMatch(text ?? '', leak, name);
        });
        // What the document asks for goes to the guarded fetcher, and there only.
        assert.ok(output.requested.includes(FETCHED));
        assert.ok(output.requested.every((url) => /^https?:/.test(url)));
      });
    }
  },
);
