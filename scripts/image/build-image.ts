/** Builds the Dockerfile with buildah, with the mirrors that apt and npm use on this machine. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageConfig } from './container.ts';
import { capture, run } from './run-command.ts';

export interface BuiltImage {
  config: ImageConfig;
  /** The folder of its files. */
  rootfs: string;
}

/** Builds the image. `storage` are the arguments that select the storage of buildah. */
export function buildImage(options: {
  root: string;
  folder: string;
  storage: readonly string[];
}): BuiltImage {
  const { root, folder, storage } = options;
  run('buildah', [
    ...storage,
    'build',
    '--isolation=chroot',
    '--pull-never',
    '--format=docker',
    '--layers=false',
    '--tag=utility-api',
    ...listVolumes(folder),
    `--file=${join(root, 'Dockerfile')}`,
    root,
  ]);
  const inspected = JSON.parse(
    capture('buildah', [...storage, 'inspect', '--type', 'image', 'utility-api']),
  ) as { Docker: { config: ImageConfig } };
  const container = capture('buildah', [...storage, 'from', '--pull-never', 'utility-api']);
  return { config: inspected.Docker.config, rootfs: capture('buildah', [...storage, 'mount', container]) };
}

/** Mounts npm's registry and the certificates of this machine: both may be those of a company. */
function listVolumes(folder: string): string[] {
  const npmrc = join(folder, 'npmrc');
  const authorities = capture('npm', ['config', 'get', 'cafile', '--loglevel=silent']);
  const lines = [`registry=${capture('npm', ['config', 'get', 'registry', '--loglevel=silent'])}`];
  const volumes = [`--volume=${npmrc}:/usr/local/etc/npmrc:ro`];
  if (existsSync(authorities)) {
    lines.push('cafile=/etc/ssl/smoke-ca.crt');
    volumes.push(`--volume=${authorities}:/etc/ssl/smoke-ca.crt:ro`);
  }
  writeFileSync(npmrc, `${lines.join('\n')}\n`);
  return volumes;
}
