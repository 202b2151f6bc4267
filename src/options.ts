/**
 * The row of an option. Each operation has one table of rows: `email/email-options.ts`,
 * `metadata/metadata-options.ts`, `pdf/request/pdf-options.ts`. A row is the only place of its facts: the
 * type of the request, the parsers, OpenAPI with all that is generated from it, the flags of the command line
 * and the form of the dashboard are derived from it.
 */

/** The JSON Schema of an option's value (draft 2020-12, as in OpenAPI 3.1). */
export interface OptionSchema {
  type: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  /** The values of a choice. */
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: object;
  format?: string;
  contentEncoding?: string;
  additionalProperties?: boolean;
  properties?: object;
  required?: readonly string[];
  title?: string;
}

/** A flag of the command line that sets an option. */
export interface OptionFlag {
  /** The name, if it is not that of the option. */
  name?: string;
  summary: string;
  /** The name of the value in the help. A flag without one takes no value. */
  placeholder?: string;
  /** True if the value is the path of a file, whose text is the value of the option. */
  isFile?: boolean;
  isRepeatable?: boolean;
}

/** The control of an option in the form of the dashboard. */
export interface OptionControl {
  /** The text beside the control; the name of the option by default. */
  label?: string;
  /** A hint of a few words. */
  hint?: string;
  placeholder?: string;
  /** True for an option behind "More options". */
  isMore?: boolean;
}

export interface OptionRow extends OptionSchema {
  /** The name in the request of the module, if it is not the camelCase of the option's. */
  property?: string;
  /** The value of an option that a request leaves out. */
  default?: boolean | number | string;
  /** One sentence for OpenAPI and the reference. */
  description: string;
  example: unknown;
  /** The sentence for a batch, if it differs. */
  batchDescription?: string;
  /**
   * Another type that a JSON body may have, for clients of before: generators read one type only. Our own
   * clients accept both.
   */
  accepts?: 'boolean' | 'integer' | 'string';
  /** The option that must be on with this one. */
  needs?: string;
  /** False if the result does not depend on the option: it is no part of the key of a cached result. */
  isInKey?: boolean;
  /** Converts the value, once its type and bounds are checked. Throws ApiError `invalid_parameter`. */
  convert?: (value: never) => unknown;
  flag?: OptionFlag;
  control?: OptionControl;
}

/** The options of an operation by their names in the API. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

type Camel<N> = N extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : N;
type Property<N, R> = R extends { property: infer P extends string } ? P : Camel<N>;
type Sent<R> = R extends { enum: readonly (infer V)[] }
  ? V
  : R extends { type: 'boolean' }
    ? boolean
    : R extends { type: 'integer' | 'number' }
      ? number
      : string;
type Value<R> = R extends { convert: (value: never) => infer V } ? V : Sent<R>;

/** The values of a table in the request of its module. */
export type OptionValues<T> = {
  -readonly [N in keyof T as Property<N, T[N]> & string]: Value<T[N]>;
};

/** Returns the name of an option in the request of its module. */
export function getProperty(name: string, { property }: OptionRow): string {
  return property ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the default values of a table, as requests have them. */
export function getDefaults<T extends OptionTable>(table: T): OptionValues<T> {
  const values = Object.entries(table).map(([name, row]) => [
    getProperty(name, row),
    row.convert === undefined ? row.default : row.convert(row.default as never),
  ]);
  return Object.fromEntries(values) as OptionValues<T>;
}
