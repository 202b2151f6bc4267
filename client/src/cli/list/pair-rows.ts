/**
 * Pairs the rows of a list with the results of a batch. A value that has just been sent is not sent again:
 * its row gets the same result. An empty value gets null.
 */
import type { ListRow } from './list-input.ts';

/** Remembered values. */
const MAX_REMEMBERED = 10_000;
/**
 * Rows that wait for a result: the rows of one request, and the repetitions and empty values between them.
 */
const MAX_WAITING = 20_000;

interface Slot<Result> {
  result?: Result;
}

interface Waiting<Result> {
  row: ListRow;
  /** Null for an empty value. */
  slot: Slot<Result> | null;
  /** True for the row that the value was sent for. */
  isSent: boolean;
}

export interface PairedRow<Result> {
  row: ListRow;
  result: Result | null;
  isRepeated: boolean;
}

/** Yields each row with its result, in the order of the list. `send` yields a result per text, in order. */
export async function* pairRows<Result>(
  rows: AsyncIterator<ListRow, void>,
  send: (texts: AsyncIterable<string>) => AsyncIterable<Result>,
): AsyncGenerator<PairedRow<Result>, void> {
  const waiting: Waiting<Result>[] = [];
  const known = new Map<string, Slot<Result>>();
  let isDone = false;
  async function* listTexts(): AsyncGenerator<string, void> {
    while (waiting.length < MAX_WAITING) {
      const { value: row } = await rows.next();
      if (!row) {
        isDone = true;
        return;
      }
      const slot = row.value === '' ? null : known.get(row.value);
      if (slot !== undefined) {
        waiting.push({ row, slot, isSent: false });
        continue;
      }
      const own: Slot<Result> = {};
      remember(known, row.value, own);
      waiting.push({ row, slot: own, isSent: true });
      yield row.value;
    }
  }
  while (!isDone) {
    for await (const result of send(listTexts())) {
      yield* takeUntilSent(waiting);
      const next = waiting.shift();
      if (!next?.slot) throw new Error('The batch has more results than texts.');
      next.slot.result = result;
      yield { row: next.row, result, isRepeated: false };
    }
    yield* takeUntilSent(waiting);
  }
}

/** Takes the rows before the next one that was sent: their results are known. */
function* takeUntilSent<Result>(waiting: Waiting<Result>[]): Generator<PairedRow<Result>, void> {
  while (waiting[0] && !waiting[0].isSent) {
    const { row, slot } = waiting.shift() as Waiting<Result>;
    yield { row, result: slot?.result ?? null, isRepeated: slot !== null };
  }
}

function remember<Result>(known: Map<string, Slot<Result>>, value: string, slot: Slot<Result>): void {
  known.set(value, slot);
  if (known.size > MAX_REMEMBERED) known.delete(known.keys().next().value as string);
}
