/** The change of a number of errors. */
import { formatNumber } from '../../components/format.ts';

/** Formats a count beside the count of the period before: "↑ 4%", "new", or "–" if that is not known. */
export function formatErrorChange(count: number, previous: number | null): string {
  if (previous === null) return '–';
  if (previous === 0) return 'new';
  const percent = Math.round((count / previous - 1) * 100);
  if (percent === 0) return 'same';
  return `${percent > 0 ? '↑' : '↓'} ${formatNumber(Math.abs(percent))}%`;
}
