import { toPlainJson } from './plain-text.ts';
import type { Session } from './session.ts';

/** Writes a value as JSON: indented for a terminal if it is the only one, else on one line. */
export function writeJson(session: Session, value: unknown, isOnly: boolean): Promise<void> {
  return session.write(`${toPlainJson(value, isOnly && session.stdout.isTTY ? 2 : undefined)}\n`);
}
