/** An overlay of deploy/kubernetes, built with secrets of its own. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type Config, loadConfig } from '#config';
import { copyDeploy } from './build-kustomization.ts';
import type { Container, Manifest } from './manifest.ts';

export type OverlayName = 'production' | 'trial';

export interface Overlay extends Disposable {
  manifests: readonly Manifest[];
  /** Those that have pods. */
  workloads: readonly Manifest[];
  /** The deployments of the service. */
  deployments: readonly Manifest[];
  find(kind: string, name: string): Manifest;
  /** Returns the environment of the pods of a deployment; files of secrets are those that were built. */
  getEnvironment(deployment: Manifest): Record<string, string>;
  loadConfig(deployment: Manifest): Config;
}

const MOUNTED = '/run/secrets/utility-api';

export function buildOverlay(name: OverlayName): Overlay {
  const copy = copyDeploy();
  const folder = `kubernetes/overlays/${name}`;
  const secrets = copy.path(`${folder}/secrets`);
  execFileSync('sh', [copy.path('create-secrets.sh'), secrets]);
  writeFileSync(`${secrets}/smtp-url`, 'smtp://mail.example.com:587');
  const manifests = copy.build(folder);
  const workloads = manifests.filter(({ spec }) => spec?.template !== undefined);
  const find = (kind: string, wanted: string): Manifest => {
    const found = manifests.find((each) => each.kind === kind && each.metadata.name === wanted);
    if (found === undefined) throw new Error(`${name} has no ${kind} ${wanted}`);
    return found;
  };
  const getEnvironment = (deployment: Manifest): Record<string, string> => {
    const { env = [], envFrom = [] } = getContainer(deployment);
    const shared = envFrom.map(({ configMapRef }) => find('ConfigMap', configMapRef.name).data ?? {});
    const own = env.map((each) => [each.name, each.value.replace(MOUNTED, secrets)]);
    return Object.assign({}, ...shared, Object.fromEntries(own)) as Record<string, string>;
  };
  return {
    manifests,
    workloads,
    deployments: workloads.filter(({ metadata }) => metadata.name.startsWith('utility-api-')),
    find,
    getEnvironment,
    loadConfig: (deployment) => loadConfig(getEnvironment(deployment)),
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  };
}

/** Returns the only container of a workload's pods. */
export function getContainer({ metadata, spec }: Manifest): Container {
  const [container, other] = spec?.template?.spec.containers ?? [];
  if (container === undefined || other !== undefined) throw new Error(`${metadata.name}: not one container`);
  return container;
}
