/** Builds the kustomizations of deploy/kubernetes with kustomize, or the kubectl that contains it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
/** Commands that build a folder. KUSTOMIZE_PATH may name a kustomize. */
const COMMANDS = [
  ...(process.env['KUSTOMIZE_PATH'] ? [[process.env['KUSTOMIZE_PATH'], 'build']] : []),
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
];

const command = findCommand();

/** The reason why tests that need kustomize are skipped, or false. */
export const skipKustomize: string | false = typeof command === 'string' ? command : false;

function findCommand(): readonly string[] | string {
  for (const [program = '', verb = ''] of COMMANDS) {
    try {
      execFileSync(program, [verb, '--help'], { stdio: 'ignore' });
      return [program, verb];
    } catch {
      // The next one.
    }
  }
  // Not an error in CI: neither npm nor Debian has a current one.
  return 'no kustomize: install kustomize or kubectl (1.27 or newer), or set KUSTOMIZE_PATH.';
}

/** A copy of deploy/, in which secrets can be written. */
export interface DeployCopy extends Disposable {
  /** The path of a file in the copy. */
  path(name: string): string;
  /** Returns the manifests of a folder of the copy, as `kubectl apply -k` would send them. */
  build(folder: string): Manifest[];
}

export function copyDeploy(): DeployCopy {
  const folder = mkdtempSync(join(tmpdir(), 'utility-api-deploy-'));
  cpSync(join(REPOSITORY, 'deploy'), folder, { recursive: true });
  return {
    path: (name) => join(folder, name),
    build(name) {
      if (typeof command === 'string') throw new Error(command);
      const [program = '', verb = ''] = command;
      const text = execFileSync(program, [verb, join(folder, name)], { encoding: 'utf8' });
      return parseAllDocuments(text).map((document) => unwrapSecret(document.toJS() as Manifest));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the line breaks that kustomize inserts into long values of secrets. Clusters ignore them. */
function unwrapSecret(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret') return manifest;
  const entries = Object.entries(manifest.data ?? {});
  return {
    ...manifest,
    data: Object.fromEntries(entries.map(([key, text]) => [key, text.replaceAll(/\s/g, '')])),
  };
}
