/** Validates manifests by the schemas of Kubernetes, without a cluster. */
import { validate as configMap } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap';
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment';
import { validate as disruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget';
import { validate as autoscaler } from 'kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler';
import { validate as ingress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress';
import { validate as namespace } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Namespace';
import { validate as networkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy';
import { validate as secret } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Secret';
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service';
import { validate as serviceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount';
import { validate as statefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet';

interface Validate {
  (data: unknown): boolean;
  errors?: { instancePath: string; message?: string; keyword: string; params: object }[] | null;
}

/** The validators of the versions that current clusters serve. */
const VALIDATORS: Record<string, unknown> = {
  'v1 ConfigMap': configMap,
  'v1 Namespace': namespace,
  'v1 Secret': secret,
  'v1 Service': service,
  'v1 ServiceAccount': serviceAccount,
  'apps/v1 Deployment': deployment,
  'apps/v1 StatefulSet': statefulSet,
  'autoscaling/v2 HorizontalPodAutoscaler': autoscaler,
  'networking.k8s.io/v1 Ingress': ingress,
  'networking.k8s.io/v1 NetworkPolicy': networkPolicy,
  'policy/v1 PodDisruptionBudget': disruptionBudget,
};

/** Returns one line for each fault of a manifest, unknown fields included. */
export function validateManifest(manifest: { apiVersion: string; kind: string }): string[] {
  const type = `${manifest.apiVersion} ${manifest.kind}`;
  const validate = VALIDATORS[type] as Validate | undefined;
  if (validate === undefined) return [`${type} is not a type that current clusters serve`];
  const read = new Set<string>();
  const isValid = validate(observe(manifest, '', read));
  const faults = isValid ? [] : (validate.errors ?? []);
  return [
    ...faults.map((fault) => `${fault.instancePath} ${fault.keyword} ${JSON.stringify(fault.params)}`),
    ...listPaths(manifest, '')
      .filter((path) => !read.has(path))
      .map((path) => `${path} is not a known field`),
  ];
}

/**
 * Returns a view of a value that records which members are read. The schemas permit unknown fields, which a
 * cluster would reject or ignore: they are those that a validator does not read.
 */
function observe(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return member;
      read.add(`${path}/${key}`);
      return observe(member, `${path}/${key}`, read);
    },
  });
}

/** Lists the path of each member, like JSON pointers without escapes. */
function listPaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    `${path}/${key}`,
    ...listPaths(member, `${path}/${key}`),
  ]);
}
