/** The tests that a change of a module concerns. */
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Test files of test/ by module. */
const TESTS: Record<string, readonly string[]> = {
  email: ['test/email/*', 'test/api/{validate-email,email-vectors}', 'test/map/{fields,parameters}'],
  metadata: ['test/metadata/*', 'test/api/get-metadata', 'test/map/fields'],
  pdf: ['test/pdf/*', 'test/api/generate-pdf', 'test/pdf-members'],
  browser: ['test/browser/*', 'test/pdf/*', 'test/api/generate-pdf'],
  egress: [
    'test/egress/*',
    'test/api/{get-metadata,validate-email}',
    'test/pdf/{egress,resources,redirects}',
  ],
  accounts: ['test/accounts/*', 'test/api/account*', 'test/cli/*', 'test/storage/*'],
  ratelimit: ['test/api/rate-limit', 'test/api/failures'],
  shares: ['test/limits-doc', 'test/egress/fair-connections', 'test/api/{json-limits,generate-pdf,failures}'],
  usage: ['test/usage/*', 'test/api/account*'],
  storage: ['test/storage/*', 'test/map/migrations', 'test/accounts/*', 'test/api/account*', 'test/usage/*'],
  log: ['test/log/*', 'test/api/shutdown'],
  'event-loop': ['test/usage/*', 'test/pdf/event-loop', 'test/api/*'],
  http: ['test/api/*', 'test/map/*', 'test/generated-files', 'test/dashboard/files', 'test/pdf-members'],
  cli: ['test/cli/*'],
  config: ['test/generated-files', 'test/map/settings', 'test/limits-doc', 'test/cli/*', 'test/api/shutdown'],
  errors: ['test/generated-files', 'test/map/errors', 'test/api/{every-response,failures}'],
};
/** Files at the root of src/ join the parts. */
const OTHERS = ['test/api/*', 'test/cli/*', 'test/log/*', 'test/usage/*', 'test/email/list-refresh'];

/** Returns the test files for a change of `path`: beside it, in its module, in test/. */
export function planTests(root: string, path: string): string[] {
  const module = getModule(path);
  const globs = [
    `${dirname(path)}/*.test.ts`,
    path === `src/${module}.ts` ? `src/${module}.test.ts` : `src/${module}/**/*.test.ts`,
    ...(TESTS[module] ?? TESTS[module.split('-', 1)[0] ?? ''] ?? OTHERS).map((glob) => `${glob}.test.ts`),
  ];
  return [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root }).toSorted()))];
}

/** The folder of src/ that a file is in, or its name without extension. */
export function getModule(path: string): string {
  return path.replace(/^src\//, '').split(/[/.]/, 1)[0] ?? '';
}
