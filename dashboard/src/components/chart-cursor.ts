/** The place in a chart that the pointer or the arrow keys show. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/**
 * Returns the place that is shown, and the properties of the chart: a slider over its places, because that is
 * what the arrow keys mean to a screen reader. `describe` formats the numbers of a place.
 */
export function useChartCursor({
  label,
  count,
  left,
  step,
  describe,
}: {
  label: string;
  count: number;
  /** Pixels left of the first place. */
  left: number;
  /** Pixels from place to place. */
  step: number;
  describe: (index: number) => string;
}) {
  const [index, setIndex] = useState<number | null>(null);
  const current = Math.min(index ?? count - 1, count - 1);
  const surface = {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': count - 1,
    'aria-valuenow': current,
    'aria-valuetext': describe(current),
    onPointerMove: (event: PointerEvent) => {
      const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
      const place = Math.floor(x / step);
      setIndex(place >= 0 && place < count ? place : null);
    },
    onPointerLeave: () => setIndex(null),
    onBlur: () => setIndex(null),
    onKeyDown: (event: KeyboardEvent) => {
      const next = moveCursor(event.key, index, count);
      if (next === undefined) return;
      event.preventDefault();
      setIndex(next);
    },
  };
  return { index: index !== null && index < count ? index : null, surface };
}

/**
 * Returns the place that a key moves to: null for none, undefined if the key has no meaning. The first arrow
 * shows the last place, which is the newest.
 */
export function moveCursor(key: string, index: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return index === null ? undefined : null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const change = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  if (change === 0) return undefined;
  return index === null ? count - 1 : Math.min(count - 1, Math.max(0, index + change));
}
