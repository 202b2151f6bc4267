/**
 * Describes the options of operations by rows, and parses the members of a JSON body by them. It never knows
 * which operation they belong to.
 */
export { getProperty } from './option-row.ts';
export type {
  NestedOptions,
  OptionControl,
  OptionFlag,
  OptionRow,
  OptionSchema,
  OptionTable,
  OptionValues,
} from './option-row.ts';
export {
  checkNoUnknownOptions,
  describeValue,
  findOption,
  formatChoices,
  getMember,
  inPlace,
  isObject,
  parseAll,
  parseLine,
  parseName,
  parseObjects,
  parseOptions,
  suggestOptions,
  throwInvalid,
  throwUnexpected,
} from './parse-options.ts';
export type { Aliases, Body, MemberRow, ParsedOptions, Rules } from './parse-options.ts';
