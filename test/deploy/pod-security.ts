/**
 * The rules of the Pod Security Standards, level «restricted», for Linux
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/).
 */
import type { Container, PodSpec } from './manifest.ts';

const VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Returns one line for each rule that a pod breaks. */
export function findPodSecurityFaults(pod: PodSpec): string[] {
  const faults: string[] = [];
  for (const member of ['hostNetwork', 'hostPID', 'hostIPC'] as const)
    if (pod[member]) faults.push(`${member} is true`);
  for (const { name, ...volume } of pod.volumes ?? [])
    for (const type of Object.keys(volume))
      if (!VOLUMES.has(type)) faults.push(`volume ${name} is of type ${type}`);
  for (const container of [...pod.containers, ...(pod.initContainers ?? [])])
    faults.push(...findContainerFaults(pod, container).map((fault) => `${container.name}: ${fault}`));
  return faults;
}

function findContainerFaults(pod: PodSpec, { securityContext: own }: Container): string[] {
  const effective = { ...pod.securityContext, ...own };
  const { runAsNonRoot, runAsUser, seccompProfile, capabilities } = effective;
  const faults: [boolean, string][] = [
    [own.privileged === true, 'is privileged'],
    [own.allowPrivilegeEscalation !== false, 'allows privilege escalation'],
    [runAsNonRoot !== true, 'may run as root'],
    [runAsUser === 0, 'runs as root'],
    [!['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? ''), 'has no seccomp profile'],
    [!capabilities?.drop?.includes('ALL'), 'keeps capabilities'],
    [capabilities?.add?.some((name) => name !== 'NET_BIND_SERVICE') ?? false, 'adds capabilities'],
  ];
  return faults.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}
