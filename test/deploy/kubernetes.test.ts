/** deploy/kubernetes: the manifests that each overlay builds. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '#config';
import {
  GLOBAL_UNICAST_IPV6_BLOCK,
  SPECIAL_IPV4_BLOCKS,
  SPECIAL_IPV6_BLOCKS,
} from '../../src/egress/guard/public-address.ts';
import { skipKustomize } from './build-kustomization.ts';
import { computeMemoryMb, findSettingFaults, parseMemoryMb } from './check-settings.ts';
import { buildOverlay, getContainer, type Overlay } from './overlay.ts';
import { findPodSecurityFaults } from './pod-security.ts';
import { validateManifest } from './validate-manifest.ts';

/**
 * The `max_connections` of the trial's PostgreSQL, less those for people; docs/operate/install.md names
 * them.
 */
const DATABASE_CONNECTIONS = 190;

for (const name of ['production', 'trial'] as const)
  describe(`deploy/kubernetes/overlays/${name}`, { skip: skipKustomize }, () => {
    let overlay: Overlay;
    before(() => {
      overlay = buildOverlay(name);
    });
    after(() => overlay[Symbol.dispose]());

    it('every manifest is valid by the schemas of Kubernetes, without unknown fields', () => {
      assert.ok(overlay.manifests.length > 20);
      for (const manifest of overlay.manifests)
        assert.deepEqual(validateManifest(manifest), [], `${manifest.kind} ${manifest.metadata.name}`);
    });

    it('pods fulfill the Pod Security Standard «restricted», with a read-only root and without a token', () => {
      assert.ok(overlay.workloads.length >= 3);
      for (const { metadata, spec } of overlay.workloads) {
        const pod = spec?.template?.spec;
        assert.ok(pod);
        assert.deepEqual(findPodSecurityFaults(pod), [], metadata.name);
        assert.equal(pod.automountServiceAccountToken, false);
        for (const container of pod.containers)
          assert.equal(container.securityContext.readOnlyRootFilesystem, true, container.name);
      }
    });

    it('every variable is a setting, and its value starts the service', () => {
      for (const deployment of overlay.deployments)
        assert.deepEqual(findSettingFaults(overlay.getEnvironment(deployment)), [], deployment.metadata.name);
    });

    it('the service listens on the port of its container, and stores its lists in its volume', () => {
      for (const deployment of overlay.deployments) {
        const { host, port, dataDir } = overlay.loadConfig(deployment);
        const { ports, volumeMounts = [] } = getContainer(deployment);
        assert.deepEqual(
          [host, port],
          ['0.0.0.0', ports.find(({ name: title }) => title === 'http')?.containerPort],
        );
        assert.ok(volumeMounts.some(({ mountPath }) => mountPath === dataDir));
      }
    });

    it('replicas have the same settings, except what they serve and the size of their browser', () => {
      const [first, ...others] = overlay.deployments.map((deployment) => ({
        ...overlay.loadConfig(deployment),
        operations: null,
        pdfSlots: null,
        pdfRendererMemoryMb: null,
        smtpUrl: null,
      }));
      for (const other of others) assert.deepEqual(other, first);
    });

    it('the memory of each pod holds what its settings allow', () => {
      for (const deployment of overlay.deployments) {
        const config = overlay.loadConfig(deployment);
        const { memory } = getContainer(deployment).resources.limits;
        assert.ok(parseMemoryMb(memory) >= computeMemoryMb(config), deployment.metadata.name);
      }
    });

    it('the database has connections for all pods that the autoscalers may start', () => {
      const pods = overlay.deployments.map(
        ({ metadata }) =>
          overlay.find('HorizontalPodAutoscaler', metadata.name).spec?.maxReplicas ?? Infinity,
      );
      const [first] = overlay.deployments;
      assert.ok(first);
      // A rollout adds a pod to each deployment.
      const processes = pods.reduce((sum, count) => sum + count + 1, 0);
      assert.ok(processes * (overlay.loadConfig(first).databasePoolSize + 3) <= DATABASE_CONNECTIONS);
    });

    it('images have the tag of a release', () => {
      for (const workload of overlay.workloads)
        assert.match(getContainer(workload).image, /^[a-z0-9./-]+:\d+(\.\d+){1,2}(-bookworm)?$/);
    });

    it('a pod has the time to drain before it is killed', () => {
      for (const deployment of overlay.deployments) {
        const { shutdownDelayMs } = overlay.loadConfig(deployment);
        const seconds = deployment.spec?.template?.spec.terminationGracePeriodSeconds ?? 0;
        assert.ok(seconds * 1000 >= shutdownDelayMs + 10_000, deployment.metadata.name);
        // The nginx controllers keep idle connections for 60 s.
        assert.ok(shutdownDelayMs > 60_000);
      }
    });

    it('the service may connect only to DNS, storage, mail and the addresses that the guard calls public', () => {
      const policies = overlay.manifests.filter(({ kind }) => kind === 'NetworkPolicy');
      const targets = policies.flatMap(({ spec }) => (spec?.egress ?? []).flatMap(({ to = [] }) => to));
      const blocks = targets.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : []));
      assert.deepEqual(
        blocks.filter(({ cidr }) => !cidr.endsWith('/32')),
        [
          { cidr: '0.0.0.0/0', except: SPECIAL_IPV4_BLOCKS },
          { cidr: GLOBAL_UNICAST_IPV6_BLOCK, except: SPECIAL_IPV6_BLOCKS },
        ],
      );
      const ofOtherNamespaces = targets.filter(({ namespaceSelector }) => namespaceSelector);
      assert.deepEqual(
        ofOtherNamespaces.map(({ podSelector }) => podSelector?.matchLabels),
        [{ 'k8s-app': 'kube-dns' }],
      );
    });

    it('public addresses may be contacted on the ports that the service permits', () => {
      const { spec } = overlay.find('NetworkPolicy', 'utility-api-public');
      const ports = spec?.egress?.flatMap((rule) => rule.ports ?? []).map(({ port }) => port);
      assert.deepEqual(ports, loadConfig({}).egressPorts);
    });

    it('a policy restricts each pod in both directions', () => {
      const policies = overlay.manifests.filter(({ kind }) => kind === 'NetworkPolicy');
      for (const { metadata, spec } of overlay.workloads)
        assert.ok(
          policies.some(
            (policy) =>
              policy.spec?.policyTypes?.length === 2 &&
              isSelected(policy.spec.podSelector?.matchLabels, spec?.template?.metadata.labels),
          ),
          metadata.name,
        );
    });

    it('each path is routed to pods that serve it, and the dashboard to pods that serve all', () => {
      const paths = overlay.find('Ingress', 'utility-api').spec?.rules?.[0]?.http.paths ?? [];
      const served = paths.map(({ path, backend }) => {
        const { spec } = overlay.find('Service', backend.service.name);
        const pods = overlay.workloads.filter((workload) =>
          isSelected(spec?.selector, workload.spec?.template?.metadata.labels),
        );
        return [path, ...pods.map((deployment) => [...overlay.loadConfig(deployment).operations].join(','))];
      });
      assert.deepEqual(served, [
        ['/v1/email', 'email,metadata'],
        ['/v1/meta', 'email,metadata'],
        ['/v1/pdf', 'pdf'],
        ['/', 'email,metadata,pdf'],
      ]);
    });

    it('pods without a browser refuse rendered metadata; the others have all that Chromium needs', () => {
      for (const deployment of overlay.deployments) {
        const config = overlay.loadConfig(deployment);
        const hasBrowser = config.operations.has('pdf') || config.metaRender;
        const { securityContext, startupProbe, volumeMounts = [] } = getContainer(deployment);
        assert.equal(securityContext.seccompProfile?.type === 'Localhost', hasBrowser);
        assert.equal(startupProbe?.exec !== undefined, hasBrowser);
        assert.equal(
          volumeMounts.some(({ mountPath }) => mountPath === '/dev/shm'),
          hasBrowser,
        );
        assert.ok(config.pdfRequireSandbox);
      }
    });
  });

function isSelected(selector: object = {}, labels: Record<string, string> = {}): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
}
