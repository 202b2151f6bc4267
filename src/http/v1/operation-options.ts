/** The options of the operations in HTTP: their schemas, their parsers, and the requests made from them. */
import { ApiError } from '#errors';
import {
  getProperty,
  type NestedOptions,
  type OptionRow,
  type OptionTable,
  type OptionValues,
} from '#options';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { formatName } from '../query.ts';
import { strict } from '../schema.ts';

/** The keywords of JSON Schema that a row has. */
const KEYWORDS = [
  'type',
  'format',
  'enum',
  'minimum',
  'maximum',
  'maxLength',
  'maxItems',
  'items',
  'contentEncoding',
  'additionalProperties',
] as const satisfies (keyof OptionRow)[];

function describeOption(row: OptionRow, description: string): object {
  const keywords = KEYWORDS.filter((keyword) => row[keyword] !== undefined);
  return {
    ...Object.fromEntries(keywords.map((keyword) => [keyword, row[keyword]])),
    description: row.since === undefined ? description : `${description} Since ${row.since}.`,
    examples: [row.example],
    ...(row.members && describeNested(row, row.members)),
  };
}

/** Returns the keywords of an object with options of its own, or of an array of such objects. */
function describeNested(
  { type }: OptionRow,
  { title, description, table, isInherited }: NestedOptions,
): object {
  const members = describeMembers(table, isInherited);
  if (type === 'array') return { items: strict(members, { title, ...(description && { description }) }) };
  return strict(members, { title });
}

/** Returns the schema of a query: `first`, the required parameter, and the options with their defaults. */
export function createQuerySchema(first: TProperties, table: OptionTable): TObject {
  const options = Object.entries<OptionRow>(table).map(([name, row]): [string, TSchema] => [
    name,
    Type.Optional(Type.Unsafe({ ...describeOption(row, row.description), default: row.default })),
  ]);
  return strict({ ...first, ...Object.fromEntries(options) });
}

/**
 * Returns the schemas of the options as members of a JSON body. A default is a sentence of the description:
 * generators make a member that has the keyword a required one.
 */
export function describeMembers(table: OptionTable, isInherited = false): TProperties {
  return Object.fromEntries(
    Object.entries<OptionRow>(table).map(([name, row]): [string, TSchema] => {
      const text = row.batchDescription ?? row.description;
      const isShown = row.default !== undefined && row.default !== '' && !isInherited;
      const description = isShown ? `${text} Default: ${String(row.default)}.` : text;
      const others = row.accepts === undefined ? {} : { 'x-accepts': row.accepts };
      const schema = Type.Unsafe({ ...describeOption(row, description), ...others });
      return [name, row.required === true ? schema : Type.Optional(schema)];
    }),
  );
}

/**
 * Returns the function that makes the options of a request from the values of all options by name. It throws
 * `invalid_parameter` for an option without the one that it needs.
 */
export function createOptionMaker<T extends OptionTable>(
  table: T,
): (values: Readonly<Record<string, unknown>>) => OptionValues<T> {
  const rows = Object.entries<OptionRow>(table).map(([name, row]) => ({
    name,
    row,
    property: getProperty(name, row),
  }));
  const needy = rows.filter(({ row }) => row.needs !== undefined);
  return (values) => {
    for (const { name, row } of needy)
      if (values[name] === true && values[row.needs as string] !== true)
        throw invalid(name, `${name} needs ${row.needs}: send ${row.needs}=true too.`);
    const options: Record<string, unknown> = {};
    for (const { name, row, property } of rows)
      options[property] = row.convert === undefined ? values[name] : row.convert(values[name] as never);
    return options as OptionValues<T>;
  };
}

/**
 * Parses the members of a JSON body besides its list, `list`. Null means absent. Throws `invalid_parameter`.
 */
export function parseMembers(
  table: OptionTable,
  members: Readonly<Record<string, unknown>>,
  list: string,
): Record<string, unknown> {
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(table, name)) continue;
    const shown = formatName(name);
    const known = [list, ...Object.keys(table)].join(', ');
    throw invalid(shown, `There is no member ${shown} here: the members are ${known}.`);
  }
  return Object.fromEntries(
    Object.entries<OptionRow>(table).map(([name, row]) => [name, parseMember(name, row, members[name])]),
  );
}

function parseMember(name: string, row: OptionRow, value: unknown): unknown {
  if (value === undefined || value === null) return row.default;
  const { type, minimum = 0, maximum = Infinity, maxLength = Infinity, enum: choices } = row;
  if (choices !== undefined) {
    // A choice may have the values true and false.
    const text = typeof value === 'boolean' ? String(value) : value;
    if (choices.some((choice) => choice === text)) return text;
    throw invalid(name, `${name} must be one of ${choices.join(', ')}.`);
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw invalid(name, `${name} must be true or false.`);
  }
  if (type === 'integer') {
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return value;
    throw invalid(name, `${name} must be a whole number from ${minimum} to ${maximum}.`);
  }
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw invalid(name, `${name} must be text of at most ${maxLength} characters.`);
}

export function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}
