/** The highlighter on what the service changed. */
import { findChangedSpan } from './find-changed-span.ts';

/** Shows `text`, and marks the characters in which it differs from `original`. */
export function CorrectedText({ text, original }: { text: string; original: string }) {
  const [start, end] = findChangedSpan(text, original);
  return (
    <>
      {text.slice(0, start)}
      {end > start && <mark>{text.slice(start, end)}</mark>}
      {text.slice(end)}
    </>
  );
}
