/** The completions of bash, zsh and fish, made from the table of commands. */
import type { Command, Flag } from '../command.ts';
import { listFlags } from '../parse-flags.ts';

const NAME = 'utility-api';

/** Formats a script for bash 4 or newer. */
export function formatBash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const flags = listFlags(command);
    const values = flags.flatMap((flag) => formatBashValue(flag));
    return `    ${command.name})
      case $previous in
${values.join('')}      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W '${flags.map(({ name }) => `--${name}`).join(' ')}' -- "$current"))
      else
        ${formatBashArguments(command)}
      fi ;;
`;
  });
  return `# Completions of ${NAME} for bash.
_utility_api() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('')}    help) COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current")) ;;
  esac
}
complete -F _utility_api ${NAME}
`;
}

function formatBashValue({ name, short, type, values }: Flag): string[] {
  if (type === 'boolean') return [];
  const names = short === undefined ? `--${name}` : `--${name}|-${short}`;
  if (type === 'file') return [`        ${names}) ${BASH_FILES}; return ;;\n`];
  const reply = values ? `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current")); ` : '';
  return [`        ${names}) ${reply}return ;;\n`];
}

// Splits at line ends only: names of files may have spaces.
const BASH_FILES = `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))`;

function formatBashArguments({ completes }: Command): string {
  if (completes === 'files') return BASH_FILES;
  return completes ? `COMPREPLY=($(compgen -W '${completes.join(' ')}' -- "$current"))` : ':';
}

/** Formats a script for zsh. */
export function formatZsh(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const lines = listFlags(command).flatMap(formatZshFlag);
    const argument = formatZshArguments(command);
    return `    ${command.name}) _arguments -s \\\n${[...lines, ...argument].map((line) => `      ${line}`).join(' \\\n')} ;;\n`;
  });
  return `#compdef ${NAME}
# Completions of ${NAME} for zsh.
_utility_api() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('')}  esac
}
if [[ $funcstack[1] == _utility_api ]]; then
  _utility_api "$@"
else
  compdef _utility_api ${NAME}
fi
`;
}

function formatZshFlag({ name, short, type, values, placeholder, summary }: Flag): string[] {
  const text = `[${summary.replaceAll(/[[\]\\:]/g, '\\$&')}]`;
  const kind = values ? `(${values.join(' ')})` : type === 'file' ? '_files' : ' ';
  const value = type === 'boolean' ? '' : `:${(placeholder ?? name).replaceAll(':', '')}:${kind}`;
  return [`--${name}`, ...(short ? [`-${short}`] : [])].map((flag) => quote(`${flag}${text}${value}`));
}

function formatZshArguments({ completes }: Command): string[] {
  if (completes === undefined) return [];
  return [quote(completes === 'files' ? '*:file:_files' : `1:name:(${completes.join(' ')})`)];
}

/** Formats a script for fish. */
export function formatFish(commands: readonly Command[]): string {
  const isFirst = `__fish_use_subcommand`;
  const lines = commands.flatMap((command) => {
    const { name, summary, completes } = command;
    const isActive = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${NAME} -n ${isFirst} -a ${name} -d ${quoteFish(summary)}`,
      ...listFlags(command).map((flag) => `complete -c ${NAME} ${isActive} ${formatFishFlag(flag)}`),
      ...(completes === 'files' ? [`complete -c ${NAME} ${isActive} -F`] : []),
      ...(Array.isArray(completes) ? [`complete -c ${NAME} ${isActive} -a '${completes.join(' ')}'`] : []),
    ];
  });
  return `# Completions of ${NAME} for fish.\ncomplete -c ${NAME} -f\n${lines.join('\n')}\n`;
}

function formatFishFlag({ name, short, type, values, summary }: Flag): string {
  const names = `-l ${name}${short ? ` -s ${short}` : ''} -d ${quoteFish(summary)}`;
  if (type === 'boolean') return names;
  if (type === 'file') return `${names} -r -F`;
  return `${names} -x${values ? ` -a '${values.join(' ')}'` : ''}`;
}

/** Quotes a word for bash and zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a word for fish, in which a backslash escapes within quotes. */
function quoteFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
