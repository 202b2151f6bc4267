/** The rows of the request log. */
import { useEffect, useRef } from 'react';
import type { LoggedRequest } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { formatDuration, formatLogTime } from '../../components/format.ts';
import { OperationName, StatusCode } from '../../components/state.tsx';
import { isBatch } from './request-names.ts';
import classes from './requests.module.css';

const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    key: 'at',
    header: 'Time, UTC',
    narrow: 'aside',
    render: ({ at }) => (
      <time className={`mono tabular nowrap ${classes.time ?? ''}`} dateTime={at} title={at}>
        {!isToday(at) && <span className="dim">{date.format(new Date(at))} </span>}
        {formatLogTime(at)}
      </time>
    ),
  },
  { key: 'status', header: 'Status', render: ({ status }) => <StatusCode status={status} /> },
  {
    key: 'operation',
    header: 'Operation',
    narrow: 'note',
    render: (row) => (
      <span className="nowrap">
        <OperationName operation={row.operation} />
        {isBatch(row) && ', batch'}
      </span>
    ),
  },
  {
    key: 'error',
    header: 'Error',
    narrow: 'title',
    render: ({ status, error, param }) => (
      <>
        <span className={`narrow-only ${classes.status ?? ''}`}>
          <StatusCode status={status} />
        </span>
        {error !== null && <span className="mono nowrap">{error}</span>}
        {param !== null && <span className={`mono ${classes.param ?? ''}`}>{param}</span>}
      </>
    ),
  },
  {
    key: 'ms',
    header: 'Duration',
    number: true,
    narrow: 'noteAside',
    render: ({ ms }) => <span className="nowrap">{formatDuration(ms)}</span>,
  },
  {
    key: 'key',
    header: 'Key',
    render: ({ key_name: name }) => (
      <span className={classes.key} title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'id',
    header: 'Request ID',
    render: ({ request_id: id }) => (
      <span className="mono nowrap dim" title={id}>
        …{id.slice(-6)}
      </span>
    ),
  },
];

/** Shows the rows; a click selects one for the inspector. */
export function RequestTable({
  rows,
  selected,
  onSelect,
}: {
  rows: readonly LoggedRequest[];
  selected: string | undefined;
  onSelect: (request: LoggedRequest) => void;
}) {
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected !== undefined)
      table.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div ref={table} className={classes.list}>
      <DataTable
        label="Requests"
        columns={COLUMNS}
        rows={rows}
        getKey={(row) => row.request_id}
        dense
        edge
        selectedKey={selected}
        onSelect={onSelect}
      />
    </div>
  );
}

function isToday(at: string): boolean {
  return at.slice(0, 10) === new Date().toISOString().slice(0, 10);
}
