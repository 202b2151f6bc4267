/** The parts of Kubernetes manifests that tests read. */

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  resources: { limits: { memory: string }; requests: Record<string, string> };
  securityContext: SecurityContext;
  startupProbe?: { exec?: { command: string[] } };
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface SecurityContext {
  runAsNonRoot?: boolean;
  runAsUser?: number;
  privileged?: boolean;
  allowPrivilegeEscalation?: boolean;
  readOnlyRootFilesystem?: boolean;
  capabilities?: { add?: string[]; drop?: string[] };
  seccompProfile?: { type: string; localhostProfile?: string };
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: ({ name: string } & Record<string, unknown>)[];
  securityContext?: SecurityContext;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
}

export interface NetworkPeer {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: { matchLabels: Record<string, string> };
  namespaceSelector?: { matchLabels: Record<string, string> };
}

export interface NetworkRule {
  from?: NetworkPeer[];
  to?: NetworkPeer[];
  ports?: { port: number; protocol?: string }[];
}

export interface IngressPath {
  path: string;
  backend: { service: { name: string } };
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: {
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    selector?: Record<string, unknown>;
    maxReplicas?: number;
    scaleTargetRef?: { name: string };
    podSelector?: { matchLabels: Record<string, string> };
    policyTypes?: string[];
    egress?: NetworkRule[];
    ingress?: NetworkRule[];
    rules?: { http: { paths: IngressPath[] } }[];
  };
}
