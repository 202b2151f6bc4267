/** Violations that are added to a small tree, to show that each rule is enforced. */
import type { RuleName } from './find-violations.ts';

export interface Planted {
  /** The files to add, by path relative to `src/`. */
  files: Record<string, string>;
  /** The place that the message must name. */
  at: `${string}.ts:${number}`;
  rule: RuleName;
}

const one = (path: string, text: string, rule: RuleName, line = 1): Planted => ({
  files: { [path]: text },
  at: `${path as 'x.ts'}:${line}`,
  rule,
});

export const PLANTED: readonly Planted[] = [
  // Imports against the direction of the rules.
  one('email/x.ts', "import { createServer } from '#http';", 'module-import'),
  one('email/x.ts', "\n\nimport '#storage';", 'module-import', 3),
  one('email/x.ts', 'import {\n  a,\n} from "#metadata";', 'module-import'),
  one('metadata/x.ts', "export { a } from '#email';", 'module-import'),
  one('metadata/x.ts', "export * from '#pdf';", 'module-import'),
  one('pdf/x.ts', "export type { Egress } from '#egress';", 'module-import'),
  one('limits/x.ts', "import type { Caller } from '#accounts';", 'module-import'),
  one('limits/x.ts', "import { type Caller } from '#accounts';", 'module-import'),
  one('usage/x.ts', "let caller: import('#accounts').Caller;", 'module-import'),
  one('email/x.ts', "\nconst http = await import('#http');", 'module-import', 2),
  one('email/x.ts', 'await import(`#http`);', 'module-import'),
  one('email/x.ts', "await import('#' + 'http');", 'computed-import'),
  one('email/x.ts', "require('#http');", 'module-import'),
  one('limits/x.ts', "import { loadConfig } from '#config';", 'module-import'),
  one('email/x.ts', "import { parseAddress } from '#email';", 'module-import'),
  one('storage/x.ts', "import { createKey } from '#accounts';", 'type-only-module'),
  one('email/x.ts', "import { a } from '#nothing';", 'unknown-name'),
  // Paths that reach inside another module.
  one('email/x.ts', "import { a } from '../http/index.ts';", 'reaches-inside'),
  one('main.ts', "import { a } from './http/index.ts';", 'reaches-inside'),
  one('email/x.ts', "import { ApiError } from '../errors.ts';", 'reaches-inside'),
  one('http/deep/x.ts', "import type { a } from '../../email/index.ts';", 'reaches-inside'),
  one('http/x.ts', "new Worker(new URL('../pdf/index.ts', import.meta.url));", 'reaches-inside'),
  one('http/x.ts', "import.meta.resolve('../pdf/index.ts');", 'reaches-inside'),
  // Packages.
  one('metadata/x.ts', "import { request } from 'undici';", 'package'),
  one('email/x.ts', "import net from 'net';", 'package'),
  one('email/x.ts', "await import('node:dns/promises');", 'package'),
  one('usage/x.ts', "import { DatabaseSync } from 'node:sqlite';", 'package'),
  one('egress/x.ts', "import type { FastifyInstance } from 'fastify';", 'package'),
  one('metadata/x.ts', "import process from 'node:process';", 'package'),
  one('metadata/x.ts', "import { performance } from 'node:perf_hooks';", 'package'),
  one('app/x.ts', "import fastify from 'fastify';", 'type-only-package'),
  one('accounts/x.ts', "import { isIP, connect } from 'node:net';", 'package-export'),
  one('http/x.ts', "import * as http from 'node:http';", 'package-export'),
  // Globals.
  one('email/x.ts', "await fetch('https://example.com/');", 'global'),
  one('email/x.ts', "await globalThis.fetch('https://example.com/');", 'global'),
  one('metadata/x.ts', "new WebSocket('wss://example.com/');", 'global'),
  one('pdf/x.ts', 'new EventSource(url);\nconst url = "";', 'global'),
  one('usage/x.ts', 'const port = process.env.PORT;', 'global'),
  one('usage/x.ts', "process['exit'](1);", 'global'),
  one('usage/x.ts', 'const { env } = process;', 'global'),
  one('metadata/x.ts', 'const startedMs = performance.now();', 'global'),
  one('limits/x.ts', '\n\n\nMath.random();', 'global', 4),
  one('limits/x.ts', "console.log('x');", 'global'),
  one('email/x.ts', "eval('1');", 'global'),
  one('email/x.ts', 'AbortSignal.timeout(5);', 'global'),
  // A local name hides a global in its own scope alone.
  one('email/x.ts', 'function get(fetch: () => void) { fetch(); }\nfetch("x");', 'global', 2),
  // The clock.
  one('http/x.ts', 'const now = Date.now();', 'clock'),
  one('http/x.ts', 'const clock = Date.now;', 'clock'),
  one('accounts/x.ts', 'const at = new Date();', 'clock'),
  one('accounts/x.ts', 'const at = new Date;', 'clock'),
  one('usage/x.ts', 'const { now } = Date;', 'clock'),
  // Cycles between files.
  {
    files: {
      'email/x.ts': "import { y } from './y.ts';\nexport const x = y;",
      'email/y.ts': "\nimport { x } from './x.ts';\nexport const y = x;",
    },
    at: 'email/x.ts:1',
    rule: 'import-cycle',
  },
  {
    files: {
      'pdf/x.ts': "import type { Z } from './z.ts';",
      'pdf/y.ts': "export type { X } from './x.ts';",
      'pdf/z.ts': "export type Z = import('./y.ts').X;",
    },
    at: 'pdf/x.ts:1',
    rule: 'import-cycle',
  },
  {
    files: { 'errors.ts': "import '#telemetry';", 'telemetry/index.ts': "import '#errors';" },
    at: 'errors.ts:1',
    rule: 'import-cycle',
  },
  // A module without a row.
  one('manager/x.ts', 'export const a = 1;', 'unknown-module'),
];

/** Code that only looks like a violation. */
export const LEGAL: Record<string, string> = {
  'email/comment.ts': "// import { a } from '#http'; fetch('x'); Date.now()",
  'email/text.ts': `export const a = "import { a } from '#http'; process.env.PORT";`,
  'email/regexp.ts': "export const a = /from '#http'/;",
  'email/member.ts': 'export const a = (x: { fetch(): void; process: number }) => [x.fetch(), x.process];',
  'email/key.ts': 'export const a = { fetch: 1, process: 2, Date: 3 };',
  'email/local.ts':
    'export function a(fetch: () => void, { process }: { process: 1 }) { return [fetch(), process]; }',
  'email/type.ts': 'export type A = typeof fetch | WebSocket; export let a: Date;',
  'email/date.ts': 'export const a = (ms: number) => [new Date(ms), Date.UTC(2000), Date.parse("x")];',
  'email/class.ts': 'export class A { fetch() {} #process = 1; get() { return this.#process; } }',
  'email/hoisted.ts': 'export function a() { fetch(); function fetch() {} { process; } var process = 1; }',
  'storage/types.ts': "import type { KeyStore } from '#accounts';",
  'http/part.ts': "import { parse } from '#pdf/request';",
  'http/types.ts': "import { type Server, STATUS_CODES } from 'node:http';",
  'app/x.ts': "import './operations.ts'; import '#http';",
};
