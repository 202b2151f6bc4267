/** The parts of an OpenAPI document that the Python types are made of. */

/** The keywords of JSON Schema that the routes use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: (string | number | boolean | null)[];
  contentSchema?: Schema;
  additionalProperties?: boolean | Schema;
  /** The values of a text that are known; others may be added. */
  'x-extensible-enum'?: string[];
  /** Another type that the service accepts. */
  'x-accepts'?: string;
}

interface Media {
  schema?: Schema;
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  schema?: Schema;
}

export interface Operation {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas?: Record<string, Schema> } & Record<string, Record<string, unknown> | undefined>;
}

/** Returns the object that a local reference names, like `#/components/schemas/Error`. */
export function resolveReference<T>(document: OpenApiDocument, value: T & { $ref?: string }): T {
  if (value.$ref === undefined) return value;
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(value.$ref) ?? [];
  const found = document.components[section]?.[name];
  if (found === undefined) throw new Error(`openapi.json has no ${value.$ref}`);
  return found as T;
}

/** Lists the operations of the document in its order. */
export function listOperations(document: OpenApiDocument): Operation[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path));
}
