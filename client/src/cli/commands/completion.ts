import type { Command } from '../command.ts';
import { formatBash, formatFish, formatZsh } from '../completion/scripts.ts';
import { CliError, EXIT } from '../exit-codes.ts';

const SHELLS = { bash: formatBash, zsh: formatZsh, fish: formatFish } as const;

/** Creates the command that prints the completions of all commands, itself included. */
export function createCompletionCommand(others: readonly Command[]): Command {
  const command: Command = {
    name: 'completion',
    summary: 'Print a script that completes commands and flags',
    usage: ['completion <bash|zsh|fish>'],
    maxArguments: 1,
    completes: Object.keys(SHELLS),
    flags: [],
    examples: [
      'source <(utility-api completion bash)   # in ~/.bashrc',
      'source <(utility-api completion zsh)    # in ~/.zshrc, after compinit',
      'utility-api completion fish > ~/.config/fish/completions/utility-api.fish',
    ],
    run: async ({ session, arguments: [shell = ''] }) => {
      if (!Object.hasOwn(SHELLS, shell))
        throw new CliError(EXIT.usage, 'completion takes the name of a shell: bash, zsh or fish.');
      await session.write(SHELLS[shell as keyof typeof SHELLS]([...others, command]));
      return EXIT.ok;
    },
  };
  return command;
}
