/** The operations as the routes describe them, for the tests of the contributor's map. */
import { EMAIL_OPTIONS } from '#email';
import { METADATA_OPTIONS } from '#metadata';
import type { OptionTable } from '#options';
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';
import { expandReferences } from '../support/expand-references.ts';

export interface Schema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Route {
  operationId: string;
  parameters?: { name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: object }> }>;
}

/** An operation as OpenAPI describes it. */
export interface DescribedOperation {
  id: string;
  /** The query parameters or the members of the body. */
  members: Record<string, Schema>;
  /** The names of those that it requires. */
  required: Set<string>;
  /** The members of the JSON result; none for a PDF. */
  result: Record<string, Schema>;
  /** The identifiers of its errors. */
  errors: Set<string>;
}

/** The options by operation, with those that only its batch has. */
const TABLES: Record<string, OptionTable> = {
  validateEmail: EMAIL_OPTIONS,
  getMetadata: METADATA_OPTIONS,
};
/** The defaults of the members of bodies are in their descriptions only. */
const DEFAULT = / Default: (\S+)\.$/;

/** Returns the operations by their ids, described by the routes as they are now. */
export async function describeOperations(): Promise<Record<string, DescribedOperation>> {
  const { paths } = expandReferences(await formatOpenApiDoc()) as {
    paths: Record<string, Record<string, Route>>;
  };
  const routes = Object.values(paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(routes.map((route) => [route.operationId, describe(route)]));
}

function describe({ operationId, parameters = [], requestBody, responses }: Route): DescribedOperation {
  const errors = Object.entries(responses).flatMap(([status, { content }]) =>
    status === '200' ? [] : Object.keys(content?.['application/json']?.examples ?? {}),
  );
  const body = requestBody?.content['application/json']?.schema;
  return {
    id: operationId,
    members: {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      ...addDefaults(operationId, body?.properties ?? {}),
    },
    required: new Set([
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body?.required ?? []),
    ]),
    result: responses['200']?.content?.['application/json']?.schema.properties ?? {},
    errors: new Set(errors),
  };
}

/** Returns the members of a body with the defaults that their descriptions name, of the type in the table. */
function addDefaults(operationId: string, members: Record<string, Schema>): Record<string, Schema> {
  const table = TABLES[operationId.replace(/Batch$/, '')] ?? {};
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const text = DEFAULT.exec(schema.description ?? '')?.[1];
      const value = table[name]?.default ?? (text === 'true' || text === 'false' ? text === 'true' : text);
      const isNamed = text === undefined ? value === '' : text === String(value);
      return [name, isNamed ? { ...schema, default: value } : schema];
    }),
  );
}
