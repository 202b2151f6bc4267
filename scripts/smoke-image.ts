/**
 * Builds the image and runs it, without a registry of images and without a daemon: `npm test -- image`, as
 * root on Debian. buildah runs the Dockerfile on Debian roots from mmdebstrap in place of the base images;
 * runc runs the result without capabilities on a read-only root, with deploy/seccomp.json.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBaseImages } from './image/base-images.ts';
import { buildImage } from './image/build-image.ts';
import { listBaseImages, parseDockerfile } from './image/dockerfile.ts';
import { provide } from './image/run-command.ts';
import { runSmokeTest } from './image/smoke-test.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'utility-api-image-'));
const startedAt = performance.now();
let step = startedAt;

function report(done: string): void {
  const now = performance.now();
  console.log(`image: ${done} (${((now - step) / 1000).toFixed(1)} s)`);
  step = now;
}

try {
  provide({ mmdebstrap: 'mmdebstrap', buildah: 'buildah', runc: 'runc', nsenter: 'util-linux' });
  const images = listBaseImages(parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8')));
  const storage = [
    '--storage-driver',
    'vfs',
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
  ];
  makeBaseImages(images, folder, storage);
  report(`base images ${images.map(({ reference }) => reference).join(', ')}`);
  const image = buildImage({ root, folder, storage });
  report('the Dockerfile is built');
  await runSmokeTest({ ...image, folder, profile: join(root, 'deploy/seccomp.json'), report });
  console.log(
    `image: passed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s on ${process.arch}.`,
  );
  console.log(
    'image: not shown: the base images themselves, other architectures, Docker, Kubernetes, cgroup limits.',
  );
} catch (error) {
  console.error(`image: FAILED: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  if (process.env['KEEP_IMAGE'] === '1') console.log(`image: kept in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
