/** Seccomp profiles as Docker reads them, and as an OCI runtime does. */

interface Condition {
  arches?: string[];
  caps?: string[];
  minKernel?: string;
}

/** A rule of a profile: https://docs.docker.com/engine/security/seccomp/. */
export interface SeccompRule {
  names: string[];
  action: string;
  errnoRet?: number;
  args?: object[];
  comment?: string;
  includes?: Condition;
  excludes?: Condition;
}

export interface SeccompProfile {
  defaultAction: string;
  defaultErrnoRet: number;
  archMap: { architecture: string; subArchitectures: string[] | null }[];
  syscalls: SeccompRule[];
}

const ARCHITECTURES = {
  x64: { name: 'amd64', seccomp: 'SCMP_ARCH_X86_64' },
  arm64: { name: 'arm64', seccomp: 'SCMP_ARCH_AARCH64' },
} as const;

/** Returns `linux.seccomp` of an OCI configuration, for a container without capabilities. */
export function toOciSeccomp(profile: SeccompProfile, arch: keyof typeof ARCHITECTURES): object {
  const { name, seccomp } = ARCHITECTURES[arch];
  const map = profile.archMap.find(({ architecture }) => architecture === seccomp);
  return {
    defaultAction: profile.defaultAction,
    defaultErrnoRet: profile.defaultErrnoRet,
    architectures: [seccomp, ...(map?.subArchitectures ?? [])],
    syscalls: profile.syscalls
      .filter(({ includes, excludes }) => applies(includes, name) && !excludes?.arches?.includes(name))
      .map(({ names, action, errnoRet, args }) => ({ names, action, errnoRet, args })),
  };
}

/** Checks the conditions of a rule. Those on the kernel hold: they are older than all that are supported. */
function applies(includes: Condition | undefined, arch: string): boolean {
  return includes?.caps === undefined && (includes?.arches?.includes(arch) ?? true);
}
