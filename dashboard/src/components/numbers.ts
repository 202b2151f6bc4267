/** Numbers as people read them. */

/** "1 request", "1,200 requests". */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}
