import { ApiError } from '#errors';

const MAX_NAMED = 3;

/** Throws render_failed if there is a warning, and names the first ones. */
export function refuseWarnings(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const more = warnings.length > MAX_NAMED ? ` There are ${warnings.length - MAX_NAMED} more warnings.` : '';
  throw new ApiError(
    'render_failed',
    `The document has warnings, which strict refuses: ${warnings.slice(0, MAX_NAMED).join(' ')}${more}`,
  );
}
