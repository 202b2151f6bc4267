/** The help of the program and of its commands. */
import type { Command, Flag } from './command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';
import { listFlags } from './parse-flags.ts';
import type { Style } from './style.ts';

const WIDTH = 80;

type Row = readonly [name: string, text: string];

/** Formats the help of the program. */
export function formatHelp(commands: readonly Command[], style: Style): string {
  return [
    'Validate email addresses, read the metadata of pages, print HTML to PDF.\n',
    formatSection('USAGE', '  utility-api <command> [flags]\n', style),
    formatSection('COMMANDS', formatRows(commands.map(({ name, summary }) => [name, summary])), style),
    formatSection(
      'FLAGS',
      formatRows([
        ['-h, --help', 'Show the help of a command'],
        ['--version', 'Show the version'],
      ]),
      style,
    ),
    formatSection(
      'EXAMPLES',
      formatLines([
        'utility-api login --url https://api.example.com',
        'utility-api email ann@gmial.com',
        'utility-api email --file list.csv --out result.csv',
        'utility-api pdf invoice.html -o invoice.pdf',
      ]),
      style,
    ),
    formatSection(
      'ENVIRONMENT',
      formatRows([
        ['UTILITY_API_KEY', 'The API key'],
        ['UTILITY_API_URL', 'The address of the service'],
        ['UTILITY_API_PROFILE', 'The profile to use'],
        ['NO_COLOR', 'Show no colors'],
      ]),
      style,
    ),
    formatSection('EXIT CODES', formatRows(EXIT_MEANINGS.map(([code, text]) => [String(code), text])), style),
  ].join('\n');
}

/** Formats the help of a command. */
export function formatCommandHelp(command: Command, style: Style): string {
  const { summary, description, usage, examples } = command;
  const about = description === undefined ? '' : `\n${wrap(description, WIDTH).join('\n')}\n`;
  return [
    `${summary}.\n${about}`,
    formatSection('USAGE', formatLines(usage.map((line) => `utility-api ${line}`)), style),
    formatSection('FLAGS', formatRows(listFlags(command).map(formatFlag)), style),
    formatSection('EXAMPLES', formatLines(examples), style),
  ].join('\n');
}

function formatFlag({ name, short, placeholder, summary }: Flag): Row {
  const letter = short === undefined ? '    ' : `-${short}, `;
  return [`${letter}--${name}${placeholder === undefined ? '' : ` <${placeholder}>`}`, summary];
}

function formatSection(title: string, body: string, style: Style): string {
  return `${style('bold', title)}\n${body}`;
}

function formatLines(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

function formatRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, text]) => {
      const [first = '', ...others] = wrap(text, Math.max(30, WIDTH - width - 4));
      const indent = ' '.repeat(width + 4);
      return `  ${name.padEnd(width)}  ${first}\n${others.map((line) => `${indent}${line}\n`).join('')}`;
    })
    .join('');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
