import { type OpenApiDocument, resolveReference, type Schema } from './openapi-document.ts';

const SCALARS = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['number', 'float'],
  ['boolean', 'bool'],
  ['null', 'None'],
]);
const MAX_LINE = 100;

/** A member of a TypedDict. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string | undefined;
}

/** The Python definitions of schemas, each once and after those that it names. */
export class PythonTypes {
  readonly #document: OpenApiDocument;
  readonly #definitions = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** Returns the definitions so far. */
  definitions(): string[] {
    return [...this.#definitions.values()];
  }

  /** Returns the type of a schema. An object without a name of its own is a class named `name`. */
  format(schema: Schema, name: string): string {
    const { 'x-accepts': other, ...main } = schema;
    if (other !== undefined)
      return formatUnion([this.format(main, name), this.#formatType({ type: other }, name)]);
    if (schema.$ref !== undefined) return this.#formatReference(schema.$ref);
    if (schema.anyOf) return formatUnion(schema.anyOf.map((one, at) => this.format(one, `${name}${at + 1}`)));
    if (schema.enum) return formatChoices(schema.enum);
    const types = [schema.type ?? []].flat();
    return formatUnion(types.map((type) => this.#formatType({ ...schema, type }, name)));
  }

  /** Returns the members of an object. Classes of their objects begin with `name`. */
  fields(schema: Schema, name: string): Field[] {
    return Object.entries(schema.properties ?? {}).map(([member, of]) => ({
      name: member,
      type: this.format(of, name + toPascalCase(member)),
      isRequired: schema.required?.includes(member) ?? false,
      description: of.description ?? resolveReference(this.#document, of).description,
    }));
  }

  #formatReference(reference: string): string {
    const schema = resolveReference<Schema>(this.#document, { $ref: reference });
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const type = this.#names.get(name) ?? this.#define(schema, name);
    this.#names.set(name, type);
    return type;
  }

  /** Defines a component. A text with known values gets a name too. */
  #define(schema: Schema, name: string): string {
    const type = this.format(schema, name);
    const known = schema['x-extensible-enum'];
    if (!known) return type;
    const lines = known.map((value) => `        ${JSON.stringify(value)},\n`).join('');
    const doc = schema.description ? formatDoc(schema.description, '') : '';
    this.#definitions.set(name, `${name} = Union[\n    Literal[\n${lines}    ],\n    ${type},\n]\n${doc}`);
    return name;
  }

  #formatType(schema: Schema & { type: string }, name: string): string {
    const { type } = schema;
    if (type === 'array') return `List[${this.format(schema.items ?? {}, singular(name))}]`;
    if (type === 'object') return this.#defineClass(schema, name);
    const scalar = SCALARS.get(type);
    if (scalar === undefined) throw new Error(`no Python type for ${name}: ${JSON.stringify(schema)}`);
    return scalar;
  }

  #formatMap({ additionalProperties: values }: Schema, name: string): string {
    const type = typeof values === 'object' ? this.format(values, singular(name)) : 'object';
    return `Dict[str, ${type}]`;
  }

  #defineClass(schema: Schema, name: string): string {
    if (!schema.properties) return this.#formatMap(schema, name);
    if (!this.#definitions.has(name)) {
      const fields = this.fields(schema, name);
      this.#definitions.set(name, formatClass(name, fields, schema.description));
    }
    return name;
  }
}

/**
 * Formats a TypedDict. The members that may be absent are in the class, those that are always there in a base
 * class: NotRequired needs Python 3.11.
 */
export function formatClass(name: string, fields: readonly Field[], description?: string): string {
  const required = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const doc = description === undefined ? '' : formatDoc(description);
  if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}${formatFields(required)}`;
  if (required.length === 0) return `class ${name}(TypedDict, total=False):\n${doc}${formatFields(optional)}`;
  const base = `_${name}Always`;
  return `class ${base}(TypedDict):\n${formatFields(required)}\n\nclass ${name}(${base}, total=False):\n${doc}${formatFields(optional)}`;
}

function formatFields(fields: readonly Field[]): string {
  return fields
    .map(
      ({ name, type, description }) => `    ${name}: ${type}\n${description ? formatDoc(description) : ''}`,
    )
    .join('');
}

/** Formats a text as a docstring, wrapped. */
function formatDoc(text: string, indent = '    '): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const lines = wrap(escaped, MAX_LINE - indent.length).map((line) => `${indent}${line}\n`);
  const [only = ''] = lines;
  const isShort = lines.length === 1 && only.length + 6 <= MAX_LINE;
  return isShort ? `${indent}"""${only.trim()}"""\n` : `${indent}"""\n${lines.join('')}${indent}"""\n`;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function formatUnion(types: readonly string[]): string {
  const distinct = [...new Set(types.filter((type) => type !== 'None'))];
  const [first = types.length > 0 ? 'None' : 'object'] = distinct;
  if (first === 'None') return first;
  const union = distinct.length > 1 ? `Union[${distinct.join(', ')}]` : first;
  return types.includes('None') ? `Optional[${union}]` : union;
}

function formatChoices(choices: readonly (string | number | boolean | null)[]): string {
  const values = choices.filter((choice) => choice !== null).map(formatValue);
  const literal = `Literal[${values.join(', ')}]`;
  return choices.includes(null) ? `Optional[${literal}]` : literal;
}

function formatValue(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

/** Formats a name of the API as that of a class: `mx_records` as `MxRecords`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
