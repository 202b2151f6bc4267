import { ApiError } from '#errors';
import { suggestMembers } from './suggest-members.ts';

const MAX_NAMED = 5;
const MAX_NAME_CHARACTERS = 64;

/**
 * Throws `invalid_parameter` if an object has members other than `members`, and names the first ones.
 * `place`: the object, such as `attachments[1]`; the body by default.
 */
export function checkNoUnknownMembers(
  body: Record<string, unknown>,
  members: ReadonlySet<string>,
  place?: string,
): void {
  const unknown = Object.keys(body).filter((name) => !members.has(name));
  const first = unknown[0];
  if (first === undefined) return;
  const names = unknown.slice(0, MAX_NAMED).map((name) => formatUnknown(name, members));
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : '';
  throw new ApiError(
    'invalid_parameter',
    `${place ?? 'The body'} has unknown members: ${names.join(', ')}${more}. Correct or remove them.`,
    { param: place === undefined ? shorten(first) : `${place}.${shorten(first)}` },
  );
}

function formatUnknown(name: string, members: ReadonlySet<string>): string {
  const meant = name.length > MAX_NAME_CHARACTERS ? null : suggestMembers(name, members);
  return `${JSON.stringify(shorten(name))}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARACTERS
    ? `${name.slice(0, MAX_NAME_CHARACTERS).toWellFormed()}…`
    : name.toWellFormed();
}
