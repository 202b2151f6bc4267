/**
 * The metadata operation against hostile web servers: a typed result, in time, without harm to the process.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '#errors';
import { openEgress, parseCidr, type Egress } from '#egress';
import { getMetadata, type PageMetadata } from '#metadata';
import { openCanary, type Canary } from '../support/canary.ts';
import { startDnsBench, type DnsBench } from '../support/dns-resolver.ts';
import {
  HOSTILE_ADDRESS,
  HOSTILE_IDS,
  startHostileTargets,
  type HostileTargets,
} from '../support/hostile-targets.ts';
import { caseZones } from '../support/site-zones.ts';
import { isFullRun, sample } from '../support/sample.ts';
import { startTurnMeter } from '../support/turn-meter.ts';
import { patientMs, scaledMs } from '../support/patience.ts';

const MEBIBYTE = 1024 * 1024;

interface Row {
  id: string;
  statuses: number[];
  result: string;
  maxMs: number;
}

const rows: Row[] = readFileSync(new URL('../vectors/hostile-targets.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('id\t'))
  .map((line) => {
    const [id = '', , status = '', result = '', maxMs = ''] = line.split('\t');
    return { id, statuses: status.split('|').map(Number), result, maxMs: Number(maxMs) };
  });

/** Behaviors of our own, in addition to those of the list. */
const more: [id: string, statuses: number[], maxMs?: number, result?: string][] = [
  ['header_trickle', [408], 11_000],
  ['header_endless', [422]],
  ['trickle_no_title', [408], 11_000],
  ['status_abc', [422]],
  ['status_100_only', [422]],
  ['reason_endless', [422]],
  ['blank_lines_endless', [422]],
  ['other_protocol', [422]],
  ['encoding_twice', [422]],
  ['encoding_after_identity', [200]],
  ['http_09', [422]],
  ['icy', [422]],
  ['http_2_line', [422]],
  ['rst_after_head', [422]],
  ['rst_before_title', [422]],
  ['rst_after_title', [200], 2000, 'titled'],
  ['header_nul', [422]],
  ['header_empty_name', [422]],
  ['header_bare_cr', [422]],
  ['header_proto', [200]],
  ['cookies_1000', [200]],
  ['cl_negative', [422]],
  ['cl_hex', [422]],
  ['cl_two', [422]],
  ['once_103', [200]],
  ['several_100', [200]],
  ['flood_100', [422]],
  ['tls_alert_plain', [422]],
  ['endless_head', [200], 3000],
  ['two_responses', [200]],
  ['chunk_ext_silent', [422]],
  ['chunk_tiny', [200]],
  ['chunk_bad_size', [200, 422]],
  ['chunk_negative', [422]],
  ['chunk_huge_size', [422]],
  ['te_twice_list', [200]],
  ['status_401', [200]],
  ['status_404', [200]],
  ['status_500', [200]],
  ['status_999', [200]],
  ['ct_twice', [200], 2000, 'titled'],
  ['br_ok', [200]],
  ['zstd_ok', [200]],
  ['deflate_ok', [200]],
  ['deflate_raw', [200]],
  ['gzip_upper', [200]],
  ['gzip_bomb', [200], 3000],
  ['deflate_bomb', [200], 3000],
  ['zstd_bomb', [200], 3000],
  ['gzip_members', [200]],
  ['gzip_trailing_garbage', [200]],
  ['br_corrupt', [422]],
  ['zstd_corrupt', [422]],
  ['gzip_empty', [200]],
  ['br_lie', [200]],
  ['zstd_lie', [200]],
  ['deflate_lie', [200]],
  ['gzip_twice', [422]],
  ['encoding_compress', [422]],
  ['redirect_10', [200]],
  ['redirect_11', [422]],
  ['redirect_loop', [422]],
  ['redirect_pair', [422]],
  ['redirect_cookie', [200]],
  ['redirect_none', [200]],
  ['redirect_empty', [422]],
  ['redirect_private', [422]],
  ['redirect_port', [422]],
  ['redirect_mapped', [422]],
  ['redirect_octal', [422]],
  ['redirect_localhost', [422]],
  ['redirect_gopher', [422]],
  ['redirect_no_host', [422]],
  ['redirect_grows', [422]],
  ['redirect_bad_url', [422]],
  ['redirect_slow_body', [200]],
  ['attrs_1m', [200]],
  ['page_20mb', [200]],
  ['undeclared_shift_jis', [200]],
  ['undeclared_gb18030', [200]],
  ['undeclared_koi8', [200]],
  ['undeclared_latin1', [200]],
  ['undeclared_e9', [200]],
  ['deep_nesting', [200]],
  ['comment_flood', [200]],
  ['nul_flood', [200]],
  ['svg_names', [200]],
  ['points_deep', [200]],
  ['link_80k', [200]],
  ['rel_long', [200]],
  ['references_long', [200]],
  ['base_private', [200]],
  ['refresh_private', [200]],
  ['refresh_self', [200]],
  ['tls_silent', [408], 11_000],
  ['tls_plain', [422]],
  ['tls_closing', [422]],
];
const cases: Row[] = [
  ...rows,
  ...more.map(([id, statuses, maxMs = 2000, result = '']) => ({ id, statuses, maxMs, result })),
];
/** These end at the deadline only. */
const ENDLESS = new Set(['slow_headers', 'body_trickle', 'header_trickle', 'trickle_no_title', 'tls_silent']);

describe('hostile targets', () => {
  let targets: HostileTargets;
  let dns: DnsBench;
  let egress: Egress;
  let canary: Canary;

  before(async () => {
    targets = await startHostileTargets();
    dns = await startDnsBench({ zones: caseZones(HOSTILE_ADDRESS) });
    canary = await openCanary({ addresses: ['127.0.0.1'], port: targets.http });
    const opened = parseCidr(`${HOSTILE_ADDRESS}/32`);
    assert.ok(opened);
    egress = openEgress({
      resolver: dns.resolver,
      policy: { allowCidrs: [opened], denyCidrs: [], ports: [80, 443], denyEndpoints: () => [] },
      userAgent: 'Mozilla/5.0 (compatible; UtilityAPI/0.1)',
      connectionsPerHost: 6,
      now: Date.now,
    });
    await ask('good', patientMs(2000));
  });
  after(async () => {
    egress.close();
    await canary.close();
    await dns[Symbol.asyncDispose]();
    await targets[Symbol.asyncDispose]();
  });

  function readUrl(id: string): string {
    const tls: Record<string, number> = {
      tls_selfsigned: targets.selfSigned,
      tls_alert: targets.alert,
      tls_silent: targets.silent,
      tls_plain: targets.plainOnTls,
      tls_closing: targets.closing,
    };
    const port = tls[id];
    return port === undefined
      ? `http://${HOSTILE_ADDRESS}:${targets.http}/${id}`
      : `https://${HOSTILE_ADDRESS}:${port}/${id}`;
  }

  async function ask(
    id: string,
    timeoutMs: number,
  ): Promise<{ status: number; page: PageMetadata | null; error: unknown }> {
    try {
      const request = { url: readUrl(id), followRedirects: true, timeoutMs, details: true };
      const page = await getMetadata(request, { fetchPage: egress.fetchPage, client: 'a', now: Date.now });
      return { status: 200, page, error: null };
    } catch (error) {
      assert.ok(error instanceof ApiError, `not an error of ours: ${String(error)}`);
      return { status: error.status, page: null, error };
    }
  }

  async function measure(id: string, timeoutMs: number) {
    const rss = process.memoryUsage().rss;
    const cpu = process.cpuUsage();
    const turns = startTurnMeter();
    const stall = monitorEventLoopDelay({ resolution: 10 });
    stall.enable();
    const startedAt = performance.now();
    const answer = await ask(id, timeoutMs);
    const elapsedMs = performance.now() - startedAt;
    stall.disable();
    const turnMs = turns.stop();
    const { user, system } = process.cpuUsage(cpu);
    const grownMb = (process.memoryUsage().rss - rss) / MEBIBYTE;
    const stallMs = stall.max / 1e6;
    return { answer, costs: { elapsedMs, grownMb, stallMs, turnMs, cpuMs: (user + system) / 1000 } };
  }

  // Half of the cases of each status, result and limit unless TEST_FULL=1.
  const classify = ({ statuses, result, maxMs }: Row) => [statuses, result, maxMs].join();
  for (const { id, statuses, result, maxMs } of sample(cases, 2, classify)) {
    it(`${id} is ${statuses.join(' or ')}`, async () => {
      const timeoutMs = ENDLESS.has(id) && !isFullRun ? 1000 : scaledMs(10_000);
      const limitMs = ENDLESS.has(id) ? timeoutMs + scaledMs(1000) : scaledMs(maxMs);
      let { answer, costs } = await measure(id, timeoutMs);
      const isCheap = () =>
        costs.elapsedMs <= limitMs &&
        costs.grownMb <= 64 &&
        costs.stallMs <= scaledMs(200) &&
        costs.turnMs <= 50 &&
        costs.cpuMs <= 1000;
      // A busy machine makes everything slow, so one cheap run of three is enough.
      for (let again = 0; again < 2 && !isCheap(); again += 1)
        ({ answer, costs } = await measure(id, timeoutMs));

      assert.ok(statuses.includes(answer.status), `${answer.status} ${String(answer.error)}`);
      assert.ok(isCheap(), JSON.stringify({ limitMs, ...costs }));
      if (result === 'nulls') assert.equal(answer.page?.title, null);
      if (result === 'titled') assert.equal(answer.page?.title, 'hostile');
      if (result === 'described') assert.ok(answer.page?.details?.status !== 200);
      assert.equal((await ask('good', patientMs(2000))).page?.title, 'hostile', 'the next good page');
      assert.deepEqual(canary.hits, []);
    });
  }

  it('are all implemented by the test server', () => {
    const known = new Set([
      ...HOSTILE_IDS,
      'tls_selfsigned',
      'tls_alert',
      'tls_silent',
      'tls_plain',
      'tls_closing',
    ]);
    assert.deepEqual(
      cases.filter(({ id }) => !known.has(id)),
      [],
    );
  });
});
