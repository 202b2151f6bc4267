/** The errors of the period by identifier and operation, beside the period before. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RouteResponse } from '../../api/types.ts';
import { type UsageFilter, usageErrorsQuery } from '../../api/usage-queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { getLoggedOperation } from '../../components/operations.ts';
import { QueryState } from '../../components/page-states.tsx';
import { Section } from '../../components/section.tsx';
import { StatusCode } from '../../components/state.tsx';
import { formatErrorChange } from './error-change.ts';
import classes from './usage.module.css';

type ErrorReport = RouteResponse<'GET /account/usage/errors'>;
type ErrorRow = ErrorReport['errors'][number];

/** Shows a row per error, most frequent first. Each leads to its requests. */
export function ErrorsSection({
  name,
  filterAt,
  keyId,
}: {
  name: readonly string[];
  filterAt: (nowMs: number) => UsageFilter;
  keyId: string | undefined;
}) {
  const errors = useQuery(usageErrorsQuery(name, filterAt));
  return (
    <Section title="Errors" actions={errors.data && <ErrorShare report={errors.data} />}>
      <QueryState query={errors}>
        <Skeleton height={300} radius="md" />
      </QueryState>
      {errors.data &&
        (errors.data.errors.length === 0 ? (
          <p className={classes.none}>No errors in this period</p>
        ) : (
          <ErrorTable report={errors.data} keyId={keyId} />
        ))}
    </Section>
  );
}

function ErrorShare({ report: { total, requests } }: { report: ErrorReport }) {
  if (requests === 0) return null;
  return (
    <span className={`tabular nowrap ${classes.share ?? ''}`}>
      <span className="strong">{formatNumber(total)}</span>{' '}
      <span className="dim">
        of {formatNumber(requests)}, {formatPercent(total / requests)}
      </span>
    </span>
  );
}

function ErrorTable({ report, keyId }: { report: ErrorReport; keyId: string | undefined }) {
  const { errors, from, to } = report;
  const most = Math.max(1, ...errors.map(({ count }) => count));
  return (
    <DataTable
      label="Errors by identifier and operation"
      rows={errors}
      getKey={({ error, operation }) => `${error} ${operation}`}
      columns={[
        {
          key: 'status',
          header: 'Status',
          narrow: 'note',
          render: ({ status }) => <StatusCode status={status} />,
        },
        {
          key: 'error',
          header: 'Error',
          narrow: 'title',
          render: ({ error, operation }) => (
            <Link
              to="/requests"
              search={{ error, operation, key: keyId, from, to }}
              className={`mono ${classes.error ?? ''}`}
            >
              {error}
            </Link>
          ),
        },
        {
          key: 'operation',
          header: 'Operation',
          narrow: 'noteAside',
          render: ({ operation }) => <span className="dim">{getLoggedOperation(operation).short}</span>,
        },
        {
          key: 'bar',
          header: 'Share',
          hideHeader: true,
          render: (row) => <ShareBar row={row} most={most} />,
        },
        {
          key: 'count',
          header: 'Requests',
          number: true,
          strong: true,
          narrow: 'aside',
          render: ({ count }) => formatNumber(count),
        },
        {
          key: 'change',
          header: 'Against before',
          number: true,
          render: ({ count, previous }) => (
            <span
              className="nowrap"
              title={previous === null ? 'Not known' : `${formatNumber(previous)} in the period before`}
            >
              {formatErrorChange(count, previous)}
            </span>
          ),
        },
      ]}
    />
  );
}

function ShareBar({ row: { count, status }, most }: { row: ErrorRow; most: number }) {
  return (
    <svg
      className={classes.bar}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect
        width={count === 0 ? 0 : Math.max(1, (count / most) * 100)}
        height="6"
        fill={status < 500 ? 'var(--ua-warn)' : 'var(--ua-bad)'}
      />
    </svg>
  );
}
