/**
 * The test files that run together, one process for each group: to start a process and load the service
 * takes longer than most of their tests. A file that is not named here has a process of its own, as one needs
 * that measures memory, CPU time or turns, or that changes or watches its process.
 */
import { globSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The files of each group as globs, by the name of its file in test/together/. */
export const TEST_GROUPS: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'test/accounts/{send-mail,sign-in,key-limit}',
    'test/cli/{lists,operator-commands}',
    'test/usage/record-usage',
  ],
  'api-account': [
    'test/api/account{,-admin,-authorization,-export,-keys,-lists,-requests,-takeover,-try}',
    'test/api/{mcp-streams,oidc,second-factor}',
  ],
  'api-operations': [
    'test/api/{email-vectors,every-response,failures,generate-pdf,get-metadata,json-limits}',
    'test/api/{malformed-requests,mcp,metadata-batch,monthly-quota,rate-limit,validate-email}',
  ],
  'api-settings': ['test/api/{public-url,served-operations}'],
  browser: [
    'test/browser/{page-creation,page-events,page-reuse,page-sessions,pipe,render-page,replacement,web-pages}',
  ],
  client: [
    'client/test/{attachments,batches,cli-commands,cli-lists,cli-records,client-package,failures,operations,response-limits}',
  ],
  cluster: ['test/cluster/{exact-limits,keys,nginx,tcp-proxy}'],
  'dashboard-pages': ['test/dashboard/{admin,admin-lists,keyboard,pages,pdf-workbench,served-operations}'],
  'dashboard-work': [
    'test/dashboard/{api-types,at-work,bad-input,components,files,front-door,journeys,key-expiry}',
    'test/dashboard/{keys-and-requests,month-pace,newcomer,reference,request-log,sign-in,snippets,takeover}',
    'test/dashboard/{try-lists,try-parts,usage-series}',
  ],
  documents: [
    'test/map/*',
    'test/build/{image,installed,tree-key}',
    'test/deploy/*',
    'test/metrics/dashboards',
    'test/release/*',
    'test/python/*',
    'test/{bundled-packages,engine-programs,test-groups,generated-files,limits-doc,notice,pdf-members,sample,wording,architecture}',
  ],
  egress: [
    'test/egress/{connection-limits,dns-answers,dns-cache,dns-lookup-mail,dns-lookup-txt,dns-lying}',
    'test/egress/{dns-limits,dns-transport,tls}',
    'test/egress/{dns-mail-exchanges,fair-connections,fetch-list,fetch-page,fetch-resource,own-addresses}',
  ],
  email: [
    'test/email/{domain-lists,email-cases,email-properties,email-suggestions,email-syntax,email-verdict}',
    'test/email/{list-judgments,mail-domains,top-level-domains,validate-email}',
  ],
  log: ['test/log/*'],
  metadata: [
    'test/metadata/{blocked,cache,charsets,details,details-refresh-header,details-visit,early-stop}',
    'test/metadata/{favicon,fuzz,odd-heads,oembed,pages,probe,render,render-apps,render-ordinary,render-reach,request-identity}',
  ],
  openapi: ['test/openapi/*', 'test/docs/*'],
  'pdf-lanes': ['test/pdf/{generate-pdf,lanes,libraries,static-lane,workers}'],
  'pdf-layout': [
    'test/pdf/{custom-sheet,fonts,header-height,header-placeholders,header-resources,margin-boxes,pdf-doc}',
    'test/pdf/{cookbook,join,layers,pictures,sandbox,templates,webgl}',
    'test/usage/request-details',
  ],
  'pdf-requests': [
    'test/pdf/{accessible,archive,contents,egress,finishing,origin,redirects,request-metadata}',
    'test/pdf/{numbers-of-documents,resources,several-documents,virtual-time,warnings}',
  ],
  processes: [
    'test/accounts/reset-password',
    'test/api/{shutdown,uncaught-errors}',
    'test/cli/{cli,first-start}',
  ],
  'storage-postgres': [
    'test/storage/{newer-schema,postgres,postgres-dump,postgres-keys,postgres-schema,postgres-shared}',
    'test/storage/{postgres-app,postgres-outage,postgres-start,postgres-tls}',
    'test/quotas/postgres-quotas',
  ],
  'storage-redis': [
    'test/storage/redis/{credentials,failure-counts,metadata-cache,untrusted-server,window-counter}',
  ],
  'storage-sqlite': [
    'test/storage/{request-details,sqlite,sqlite-file}',
    'test/quotas/sqlite-quotas',
    'test/storage/backup/{backup,restore}',
  ],
};

/** Returns the paths of the files of a group, sorted. */
export function listGroupFiles(group: string): string[] {
  const globs = (TEST_GROUPS[group] ?? []).map((glob) => `${glob}.test.ts`);
  return globSync(globs, { cwd: root }).toSorted();
}

/**
 * The files that take longest, in the order in which they start. Those that use the processor alternate with
 * those that wait for processes, drains and faults, so that neither kind runs alone; short ones follow.
 */
export const LONG_FILES: readonly string[] = [
  'test/together/dashboard-work.test.ts',
  'test/together/pdf-requests.test.ts',
  'test/together/dashboard-pages.test.ts',
  'test/together/api-operations.test.ts',
  'test/together/storage-postgres.test.ts',
  'test/all-units.test.ts',
  'test/together/api-settings.test.ts',
  'test/storage/redis/outage.test.ts',
  'test/together/pdf-layout.test.ts',
  'test/together/client.test.ts',
  'test/together/egress.test.ts',
  'test/email/list-refresh.test.ts',
  'test/together/storage-sqlite.test.ts',
  'test/together/pdf-lanes.test.ts',
  'test/together/browser.test.ts',
  'test/metrics/metrics.test.ts',
  'test/cluster/postgres-faults.test.ts',
  'test/together/api-account.test.ts',
  'test/cluster/redis-faults.test.ts',
  'test/together/documents.test.ts',
  'test/tracing/traces.test.ts',
  'test/egress/hostile-targets.test.ts',
  'test/together/metadata.test.ts',
  'test/api/redis.test.ts',
  'test/together/processes.test.ts',
  'test/together/openapi.test.ts',
  'test/together/log.test.ts',
  'test/together/cluster.test.ts',
  'test/cluster/rolling-restarts.test.ts',
  'test/together/email.test.ts',
  'test/build/built-tree.test.ts',
  'test/pdf/event-loop.test.ts',
  'test/pdf/lifecycle.test.ts',
  'test/storage/durability.test.ts',
  'test/pdf/hostile.test.ts',
  'test/together/storage-redis.test.ts',
];

/**
 * Returns what `npm test` starts, a process for each, in this order: the files of groups, and those that no
 * group has.
 */
export function listTestFiles(): string[] {
  const grouped = new Set(Object.keys(TEST_GROUPS).flatMap(listGroupFiles));
  const globs = ['src/**/*.alone.test.ts', 'client/test/**/*.test.ts'];
  const files = globSync([...globs, 'test/!(attacks|pdfa)/**/*.test.ts', 'test/*.test.ts'], { cwd: root });
  const started = files.filter((file) => !grouped.has(file)).toSorted();
  return [...new Set([...LONG_FILES, ...started])];
}
