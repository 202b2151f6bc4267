/** Cards with one figure each. */
import { Anchor, Group, RingProgress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../components/format.ts';
import classes from './stat-card.module.css';

/** Shows a figure with label and note, linked to the page with its details. */
export function StatCard({
  label,
  value,
  note,
  to,
  children,
}: {
  label: string;
  value: string;
  note: string;
  to: '/requests' | '/usage' | '/plan';
  children?: ReactNode;
}) {
  return (
    <Anchor
      underline="never"
      c="inherit"
      className={`surface ${classes.card ?? ''}`}
      renderRoot={(props) => <Link to={to} {...props} />}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fz={{ base: 22, sm: 28 }} fw={650} lh={1.3} className="tabular">
            {value}
          </Text>
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        </div>
        {children}
      </Group>
    </Anchor>
  );
}

/** Shows how much of its limit the busiest key has used in this minute. */
export function LimitGauge({ limit, used }: { limit: number; used: number }) {
  const share = limit === 0 ? 0 : Math.min(100, (used / limit) * 100);
  const color = share >= 90 ? 'red' : share >= 70 ? 'orange' : 'ink';
  return (
    <StatCard
      label="Limit in use"
      value={`${Math.round(share)}%`}
      note={`${formatNumber(used)} of ${formatNumber(limit)} per minute`}
      to="/plan"
    >
      <RingProgress
        size={64}
        thickness={7}
        roundCaps
        sections={[{ value: share, color }]}
        aria-hidden="true"
        visibleFrom="sm"
      />
    </StatCard>
  );
}
