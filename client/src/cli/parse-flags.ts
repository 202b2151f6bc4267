/** Parses the flags of a command strictly: a mistyped flag is an error that names the nearest one. */
import { parseArgs } from 'node:util';
import type { Command, Flag, FlagValues } from './command.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { toPlainText } from './plain-text.ts';

const HELP: Flag = { name: 'help', short: 'h', type: 'boolean', summary: 'Show the help of the command' };

/** Returns the flags of a command with those that all commands have. */
export function listFlags(command: Command): readonly Flag[] {
  return [...command.flags, HELP];
}

/** Parses the words after the name of a command. Throws CliError with exit code 2. */
export function parseFlags(
  command: Command,
  words: readonly string[],
): { flags: FlagValues; arguments: readonly string[] } {
  const flags = listFlags(command);
  const options = Object.fromEntries(
    flags.map(({ name, short, type, isRepeatable = false }) => [
      name,
      {
        type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: isRepeatable,
        ...(short ? { short } : {}),
      },
    ]),
  );
  const { values, positionals } = parse(command, () =>
    parseArgs({ args: [...words], options, allowPositionals: true }),
  );
  if (positionals.length > command.maxArguments && values['help'] !== true)
    fail(command, `${command.name} takes ${formatMaximum(command.maxArguments)}, not ${positionals.length}.`);
  const parsed = flags.map((flag) => [flag.name, parseValue(command, flag, values[flag.name])] as const);
  return { flags: Object.fromEntries(parsed), arguments: positionals };
}

function formatMaximum(count: number): string {
  if (count === 0) return 'no arguments';
  return count === 1 ? 'one argument' : `at most ${count} arguments`;
}

function parse<T>(command: Command, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) return fail(command, `${message.split(/\. |\n/, 1)[0]}.`);
    const nearest = findNearest(
      unknown.replace(/^-+/, ''),
      listFlags(command).map(({ name }) => name),
    );
    return fail(
      command,
      `${command.name} has no flag ${toPlainText(unknown)}.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`,
    );
  }
}

function parseValue(command: Command, flag: Flag, value: unknown): FlagValues[string] {
  if (Array.isArray(value)) return value as string[];
  if (typeof value !== 'string') return value === true ? true : undefined;
  const { name, type, values } = flag;
  if (values && !values.includes(value))
    return fail(
      command,
      `--${name} is ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${JSON.stringify(value)}.`,
    );
  if (type !== 'number') return value;
  if (!/^\d+(\.\d+)?$/.test(value))
    return fail(command, `--${name} is a number, not ${JSON.stringify(value)}.`);
  return Number(value);
}

function fail(command: Command, message: string): never {
  throw new CliError(EXIT.usage, `${message}\nutility-api ${command.name} --help lists the flags.`);
}

/** Finds the name that differs least from a mistyped one; undefined if all differ by half or more. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, distance: name.startsWith(typed) ? 0.5 : computeDistance(typed, name) }))
    .filter(({ name, distance }) => typed.length > 1 && distance <= Math.max(1, Math.min(3, name.length / 2)))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** Computes the Levenshtein distance. */
function computeDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
