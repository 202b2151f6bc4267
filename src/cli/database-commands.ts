import { ApiError } from '#errors';
import type { Command } from './command.ts';
import { formatTable } from './format-table.ts';

export const copyDatabaseCommand: Command = {
  name: 'database copy',
  positionals: [],
  options: { replace: { type: 'boolean' } },
  usage: 'database copy [--replace]',
  help: 'Copies the embedded database of DATA_DIR into the PostgreSQL database of DATABASE_URL and compares all rows. Stop the service before. --replace deletes what the target contains.',
  async run({ copyDatabase }, { values }) {
    if (copyDatabase === null)
      throw new ApiError(
        'invalid_parameter',
        'DATABASE_URL is not set: set it to the PostgreSQL database to copy into, and DATA_DIR to the folder to copy.',
      );
    const { source, target, isChanged, tables } = await copyDatabase(values['replace'] === true);
    const rows = tables.map(({ table, rows: count, digest }) => [table, String(count), digest.slice(0, 16)]);
    const outcome = isChanged ? 'Copied' : 'Already copied: nothing was changed.';
    return {
      text: `${outcome} ${source} → ${target}. Both have these rows:\n\n${formatTable(['TABLE', 'ROWS', 'DIGEST'], rows)}`,
      json: { source, target, changed: isChanged, tables },
    };
  },
};
