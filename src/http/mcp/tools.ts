/** The tools: the operations of the OpenAPI document, with its schemas. */

/** A JSON schema. */
type Schema = Record<string, unknown>;

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema & { type: 'object' };
  outputSchema?: Schema & { type: 'object' };
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
}

/** A tool, and the route that it calls. */
export interface Tool {
  definition: ToolDefinition;
  /** The operation, as keys name it: a batch belongs to that of its items. */
  operation: string;
  method: 'GET' | 'POST';
  path: string;
}

/** The parts of an OpenAPI document that describe operations. */
export interface OperationDocument {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** Texts of a tool in place of those of its operation that are about HTTP. */
interface ToolWording {
  description?: string;
  /** Descriptions of arguments. */
  arguments?: Record<string, string>;
  /** Arguments that have a use with streamed lines only. */
  omits?: readonly string[];
}

const WORDING: Readonly<Record<string, ToolWording>> = {
  validateEmail: { arguments: { email: 'Address to validate.' } },
  validateEmailBatch: {
    description:
      'Validates up to 1,000 addresses and returns the results in their order. Each counts as one request against the rate limit, all or none.',
    omits: ['order'],
  },
  getMetadata: { arguments: { url: 'URL to extract metadata from.' } },
  getMetadataBatch: {
    description:
      'Fetches up to 100 URLs within 60 s and answers each with its result or its error, in their order. Each counts as one request against the rate limit, all or none.',
    omits: ['order'],
  },
  generatePdf: {
    description:
      'Renders an HTML string into a PDF with a headless browser. The PDF is an embedded resource of the result.',
  },
};

/** Returns the tools by their names, which are the operationIds. */
export function createTools(document: OperationDocument): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(operations))
      tools.set(operation.operationId, {
        definition: describeTool(document, operation),
        operation: operation.operationId.replace(/Batch$/, ''),
        method: method === 'get' ? 'GET' : 'POST',
        path,
      });
  return tools;
}

function describeTool(document: OperationDocument, operation: Operation): ToolDefinition {
  const { operationId: name, summary: title, requestBody } = operation;
  const wording = WORDING[name] ?? {};
  const body = requestBody?.content['application/json']?.schema;
  const input = body ?? describeQuery(document, operation.parameters ?? []);
  const output = operation.responses['200']?.content?.['application/json']?.schema;
  return {
    name,
    title,
    description: wording.description ?? operation.description,
    inputSchema: applyWording(resolveSchema(document, input), wording),
    ...(output && { outputSchema: resolveSchema(document, output) }),
    annotations: { readOnlyHint: true, openWorldHint: name !== 'generatePdf' },
  };
}

/** Returns the parameters of a query as one object. */
function describeQuery(document: OperationDocument, listed: (Parameter | { $ref: string })[]): Schema {
  const parameters = listed.flatMap((parameter): Parameter[] => {
    if (!('$ref' in parameter)) return [parameter];
    const found = document.components?.parameters?.[getRefName(parameter.$ref)];
    return found ? [found] : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function applyWording(schema: ToolDefinition['inputSchema'], wording: ToolWording) {
  const properties = schema['properties'] as Record<string, Schema>;
  const kept = Object.entries(properties)
    .filter(([name]) => !wording.omits?.includes(name))
    .map(([name, property]) => {
      const description = wording.arguments?.[name];
      return [name, description === undefined ? property : { ...property, description }];
    });
  return { ...schema, properties: Object.fromEntries(kept) as Record<string, Schema> };
}

const COMPONENTS = '#/components/schemas/';

/** Returns a schema that stands alone: an object whose references are to `$defs` of its own. */
function resolveSchema({ components }: OperationDocument, schema: Schema): ToolDefinition['inputSchema'] {
  const defs: Record<string, Schema> = {};
  const root = getRefTarget(schema) ?? schema;
  const resolved = copySchema(root) as Schema;
  return {
    ...resolved,
    type: 'object',
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };

  function getRefTarget({ $ref: ref }: Schema): Schema | undefined {
    return typeof ref === 'string' ? components?.schemas?.[getRefName(ref)] : undefined;
  }

  /** Copies a schema without its examples. */
  function copySchema(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(copySchema);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
    return Object.fromEntries(entries.map(([key, member]) => [key, copyMember(key, member)]));
  }

  function copyMember(key: string, member: unknown): unknown {
    if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(COMPONENTS))
      return copySchema(member);
    const name = getRefName(member);
    if (!Object.hasOwn(defs, name)) {
      // First, for schemas that refer to themselves.
      defs[name] = {};
      defs[name] = copySchema(getRefTarget({ $ref: member }) ?? {}) as Schema;
    }
    return `#/$defs/${name}`;
  }
}

function getRefName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
