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
  items?: { type: 'string'; enum?: readonly string[] };
  format?: string;
  contentEncoding?: string;
  additionalProperties?: boolean;
}

/** A flag of the command line that sets an option. */
export interface OptionFlag {
  /** The name, if it differs from the name of the option. */
  name?: string;
  summary: string;
  /** The name of the value in the help; `file` for a file. A flag without one takes no value. */
  placeholder?: string;
  /** True if the value is the path of a file, whose text is the value of the option. */
  isFile?: boolean;
  isRepeatable?: boolean;
  /** True if the service accepts the choices in other spellings: the command line checks no value. */
  hasOtherSpellings?: boolean;
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
  /** The heading above the controls that belong together; without one, the control is in the first row. */
  group?: string;
  /** True for a text of several lines, such as HTML. */
  isCode?: boolean;
  isSecret?: boolean;
  /** The language of a text that has a tab of the editor. */
  editor?: 'css' | 'html';
  /** The kind of a list of objects in the form. */
  list?: 'documents' | 'files';
  /** The name of a field that sets several options at once with one to four lengths, as in CSS. */
  joinedAs?: string;
  /** The options that take the place of this one. */
  excludedBy?: readonly string[];
  /** The texts of the choices, if they differ from the values. */
  labels?: Readonly<Record<string, string>>;
}

/** A table of options inside another. */
export interface NestedOptions {
  /** The name of its component in OpenAPI. */
  title: string;
  /** One sentence about an object of a list. */
  description?: string;
  table: OptionTable;
  /** True if an option that is left out is as in the request: it has no default of its own. */
  isInherited?: boolean;
}

export interface OptionRow extends OptionSchema {
  /** True if a request must have it. */
  required?: boolean;
  /** The UTF-8 bytes that a text may have. */
  maxBytes?: number;
  /** The options of an object, or of each object of an array. */
  members?: NestedOptions;
  /** The name in the request of the module, if it is not the camelCase of the option's. */
  property?: string;
  /** The value of an option that a request leaves out. */
  default?: boolean | number | string;
  /** One sentence for OpenAPI and the reference. */
  description: string;
  example: unknown;
  /** The version of the API that introduced it; none for the first one. The description names it. */
  since?: string;
  /** Options that are refused because of this one: an example of the errors is made of them. */
  refused?: Readonly<Record<string, unknown>>;
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
  /** False for an option that no assistant needs: each reads the list of tools in each conversation. */
  isInTools?: boolean;
  /** Converts the value, once its type and bounds are checked. Throws ApiError `invalid_parameter`. */
  convert?: (value: never) => unknown;
  flag?: OptionFlag;
  control?: OptionControl;
}

/** The options of an operation by their names in the API. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

type Camel<N> = N extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : N;
/** The type of an option's name in the request of its module. */
export type PropertyName<N, R> = R extends { property: infer P extends string } ? P : Camel<N>;
/** The type of an option's value in a request. */
export type SentValue<R> = R extends { enum: readonly (infer V)[] }
  ? V
  : R extends { type: 'boolean' }
    ? boolean
    : R extends { type: 'integer' | 'number' }
      ? number
      : string;
type Value<R> = R extends { convert: (value: never) => infer V } ? V : SentValue<R>;

/** The values of a table in the request of its module. */
export type OptionValues<T> = {
  -readonly [N in keyof T as PropertyName<N, T[N]> & string]: Value<T[N]>;
};

/** Returns the name of an option in the request of its module. */
export function getProperty(name: string, { property }: OptionRow): string {
  return property ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
