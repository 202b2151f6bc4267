/** The stacked chart; a file of its own because the chart library comes with it. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { Bar, Series } from './usage-series.ts';

/** Bars over time, one colour a series. */
export function UsageChart({ bars, series, label }: { bars: Bar[]; series: Series[]; label: string }) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={300}
        data={bars}
        dataKey="when"
        type="stacked"
        series={series}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 44 }}
        valueFormatter={(value) => value.toLocaleString('en')}
        xAxisProps={{ minTickGap: 28 }}
        yAxisProps={{ width: 44, allowDecimals: false }}
        tooltipAnimationDuration={0}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
