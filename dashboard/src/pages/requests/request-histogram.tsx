/** The requests that the filter selects, by time, above the log. */
import { useElementSize } from '@mantine/hooks';
import type { Histogram } from '../../api/request-log.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { formatCount } from '../../components/format.ts';
import { computeBars } from './histogram-bars.ts';
import classes from './requests.module.css';

const SERIES = [
  { name: 'Succeeded', color: 'var(--ua-chart-succeeded)' },
  { name: 'Rejected, 4xx', color: 'var(--ua-warn)' },
  { name: 'Failed, 5xx', color: 'var(--ua-bad)' },
];
const TICK_WIDTH = 90;

/** Shows the bars. The space is kept while they load. */
export function RequestHistogram({ histogram }: { histogram: Histogram | undefined }) {
  const { ref, width } = useElementSize();
  const bars = histogram ? computeBars(histogram, Math.max(2, Math.floor(width / TICK_WIDTH))) : [];
  return (
    <div ref={ref} className={classes.histogram}>
      {histogram && (
        <BarChart
          label={`${formatCount(histogram.total, 'request')} by time, in UTC`}
          series={SERIES}
          bars={bars}
          height={96}
        />
      )}
    </div>
  );
}
