/** The stacked chart, a separate file so that the chart library is loaded only when needed. */
import { BarChart } from '@mantine/charts';
import { ColorSwatch, Group, Text } from '@mantine/core';
import '@mantine/charts/styles.css';
import { formatNumber } from '../../components/format.ts';
import type { Bar, Series } from './usage-series.ts';

const short = new Intl.NumberFormat('en', { notation: 'compact' });

/**
 * Shows bars over time. The legend is our own: the library's has a fixed height, too small for long key
 * names.
 */
export function UsageChart({ bars, series, label }: { bars: Bar[]; series: Series[]; label: string }) {
  return (
    <>
      <Group component="ul" gap="md" m={0} mb="sm" p={0} style={{ rowGap: 4 }} aria-label="Colors">
        {series.map(({ name, label: text, color }) => (
          <Group component="li" key={name} gap={6} wrap="nowrap" style={{ listStyle: 'none', minWidth: 0 }}>
            <ColorSwatch
              size={12}
              color={`var(--mantine-color-${color.replace('.', '-')})`}
              withShadow={false}
            />
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </Group>
        ))}
      </Group>
      <div role="img" aria-label={label}>
        <BarChart
          h={280}
          data={bars}
          dataKey="when"
          type="stacked"
          series={series}
          valueFormatter={formatNumber}
          xAxisProps={{ minTickGap: 28 }}
          yAxisProps={{
            width: 44,
            allowDecimals: false,
            tickFormatter: (count: number) => short.format(count),
          }}
          tooltipAnimationDuration={0}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
    </>
  );
}
