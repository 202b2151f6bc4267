/** The options as the forms describe them, and their values. */

/** An option in a form. `src/options/option-row.ts` describes the members, which are those of its row. */
export interface OptionControl {
  name: string;
  type: string;
  /** The values of a choice, or of each member of a list. */
  values?: readonly string[];
  /** The value that the control shows first. */
  default?: boolean | number | string;
  /** The option that must be on with this one. */
  needs?: string;
  /** Another type that the option may have. */
  accepts?: string;
  maxItems?: number;
  isRequired?: boolean;
  label?: string;
  hint?: string;
  placeholder?: string;
  /** True for an option behind "More options". */
  isMore?: boolean;
  group?: string;
  isCode?: boolean;
  isSecret?: boolean;
  editor?: 'css' | 'html';
  list?: 'documents' | 'files';
  joinedAs?: string;
  excludedBy?: readonly string[];
  labels?: Readonly<Record<string, string>>;
  /** The options of an object. */
  members?: readonly OptionControl[];
}

/** The values by option. A number is text while it is typed. */
export type OptionValues = Readonly<Record<string, boolean | number | string>>;

/** Returns the defaults of the service. */
export function getDefaults(controls: readonly OptionControl[]): OptionValues {
  return Object.fromEntries(controls.map((control) => [control.name, control.default ?? '']));
}

/** Returns the values without those that the service refuses because the option that they need is off. */
export function dropUnusable(controls: readonly OptionControl[], values: OptionValues): OptionValues {
  const usable = controls.filter(({ needs }) => needs === undefined || values[needs] === true);
  return Object.fromEntries(usable.map(({ name }) => [name, values[name] ?? '']));
}
