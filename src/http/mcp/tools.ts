/**
 * The tools: the operations of the OpenAPI document, with the schemas of their requests. Assistants read the
 * list in each conversation, so it is short: no schemas of results, and each
 * description once in the tools of an operation.
 */
import type { OptionTable } from '#options';
import { PDF_OPTIONS } from '#pdf/request';
import { EMAIL_BATCH_OPTIONS, METADATA_BATCH_OPTIONS } from '../v1/batch-body.ts';

/** A JSON schema. */
type Schema = Record<string, unknown>;

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema & { type: 'object' };
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
}

/** A tool, and the route that it calls. */
export interface Tool {
  definition: ToolDefinition;
  /** The operation, as keys name it: a batch belongs to the operation of its items. */
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
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Reference {
  $ref: string;
}

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** Texts of a tool that replace the texts of its operation about HTTP. */
interface ToolWording {
  description?: string;
  /** Descriptions of arguments. */
  arguments?: Record<string, string>;
}

const WORDING: Readonly<Record<string, ToolWording>> = {
  validateEmail: { arguments: { email: 'Address to validate.' } },
  validateEmailBatch: {
    description:
      'Validates up to 1,000 addresses and returns the results in their order. Each counts as one request against the rate limit, all or none.',
  },
  getMetadata: { arguments: { url: 'URL to extract metadata from.' } },
  getMetadataBatch: {
    description:
      'Fetches up to 100 URLs within 60 s and answers each with its result or its error, in their order. Each counts as one request against the rate limit, all or none.',
  },
  generatePdf: {
    description:
      'Renders an HTML string into a PDF with a headless browser. The PDF is an embedded resource of the result.',
  },
};

/** The options by operation; of one with a batch, those of both. */
const OPTIONS: Readonly<Record<string, OptionTable>> = {
  validateEmail: EMAIL_BATCH_OPTIONS,
  getMetadata: METADATA_BATCH_OPTIONS,
  generatePdf: PDF_OPTIONS,
};

/** Returns the tools by their names, which are the operationIds. */
export function createTools(document: OperationDocument): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  const shorteners = new Map<string, SchemaShortener>();
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(operations)) {
      // A key that may call an operation may call its batch too: the list has both, or none.
      const single = operation.operationId.replace(/Batch$/, '');
      const shortener = shorteners.get(single) ?? new SchemaShortener(document);
      shorteners.set(single, shortener);
      tools.set(operation.operationId, {
        definition: describeTool(operation, shortener),
        operation: single,
        method: method === 'get' ? 'GET' : 'POST',
        path,
      });
    }
  return tools;
}

function describeTool(operation: Operation, shortener: SchemaShortener): ToolDefinition {
  const { operationId: name, summary: title, parameters = [], requestBody } = operation;
  const { description, arguments: wording = {} } = WORDING[name] ?? {};
  const body = requestBody?.content['application/json']?.schema;
  const { required, properties } = body ? shortener.resolve(body) : describeQuery(parameters, shortener);
  const options = OPTIONS[name.replace(/Batch$/, '')] ?? {};
  const members = Object.entries(properties as Record<string, Schema>).filter(
    ([key]) => options[key]?.isInTools !== false,
  );
  const worded = members.map(([key, schema]): [string, Schema] => [
    key,
    wording[key] === undefined ? schema : { ...schema, description: wording[key] },
  ]);
  return {
    name,
    title,
    description: description ?? operation.description,
    inputSchema: {
      type: 'object',
      properties: shortener.shortenMembers(worded),
      required,
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: name !== 'generatePdf' },
  };
}

/** Returns the parameters of a query as one object. */
function describeQuery(listed: readonly (Parameter | Reference)[], shortener: SchemaShortener): Schema {
  const parameters = listed.map((parameter) => shortener.resolve(parameter) as unknown as Parameter);
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The keywords that a model has no use for. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'example',
  'examples',
  'x-accepts',
  'maxLength',
  'minItems',
  'maxItems',
  'format',
  'contentEncoding',
  'additionalProperties',
]);

/** Makes the schemas of an operation and its batch short, and independent of the document. */
class SchemaShortener {
  readonly #components: Readonly<Record<string, unknown>>;
  readonly #described = new Set<string>();

  constructor({ components }: OperationDocument) {
    this.#components = { ...components?.parameters, ...components?.schemas };
  }

  /** Returns the component that a reference names; a schema that is no reference as it is. */
  resolve(schema: object): Schema {
    const { $ref: ref } = schema as Partial<Reference>;
    if (ref === undefined) return schema as Schema;
    return this.#components[ref.slice(ref.lastIndexOf('/') + 1)] as Schema;
  }

  /**
   * Copies the schemas of members with their references resolved. A description that was used before is left
   * out: an option of a batch is described for one item, an option of a later document for the request.
   */
  shortenMembers(members: readonly (readonly [name: string, schema: Schema])[]): Schema {
    const descriptions = members.map(([, { description }]) =>
      this.#isNew(description) ? description : null,
    );
    return Object.fromEntries(
      members.map(([name, { description: _description, ...schema }], index) => {
        const description = descriptions[index] ?? null;
        return [name, { ...(this.#copy(schema) as Schema), ...(description !== null && { description }) }];
      }),
    );
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(this.resolve(value)).filter(
      ([key, member]) => !LEFT_OUT.has(key) && (key !== 'description' || this.#isNew(member)),
    );
    return Object.fromEntries(entries.map(([key, member]) => [key, this.#copy(member)]));
  }

  /** A member whose name is description has a schema, not a text. */
  #isNew(description: unknown): boolean {
    if (typeof description !== 'string') return true;
    const text = description.replace(/ Default: \S+$/, '');
    const isNew = !this.#described.has(text);
    this.#described.add(text);
    return isNew;
  }
}
