import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Session } from '../session.ts';

/** Asks for a line on the terminal. A hidden one is not echoed. */
export async function promptLine(session: Session, question: string, isHidden: boolean): Promise<string> {
  const { stdin, stderr, signal } = session;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isHidden) stderr.write(question);
  const lines = createInterface({ input: stdin, output: isHidden ? silent : stderr, terminal: true });
  // A signal destroys standard input, which the question reports too.
  lines.on('error', () => {});
  // In raw mode, Ctrl-C is a character.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await lines.question(isHidden ? '' : question, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
    if (isHidden) stderr.write('\n');
  }
}
