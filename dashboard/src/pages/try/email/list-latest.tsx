/** The latest results of a list. */
import { CorrectedText } from '../../../components/corrected-text.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { State } from '../../../components/state.tsx';
import type { ListCheck } from './list-check.ts';
import { type CheckedAddress, KINDS } from './list-result.ts';
import classes from './list.module.css';

const SHOWN = 10;

const COLUMNS: readonly Column<CheckedAddress>[] = [
  {
    key: 'email',
    header: 'Address',
    narrow: 'title',
    render: ({ email }) => <span className={`mono ${classes.cut ?? ''}`}>{email}</span>,
  },
  {
    key: 'kind',
    header: 'Result',
    narrow: 'aside',
    render: ({ kind }) => <State meaning={KINDS[kind].tone}>{KINDS[kind].name}</State>,
  },
  {
    key: 'remark',
    header: 'Suggestion or remark',
    render: ({ email, suggestion, reasons }) =>
      suggestion === null ? (
        reasons.split(' ').includes('role') && <span className="dim">Role address</span>
      ) : (
        <span className={`mono ${classes.cut ?? ''}`}>
          <CorrectedText text={suggestion} original={email.toLowerCase()} />
        </span>
      ),
  },
];

/** Shows the last results, newest first. */
export function LatestResults({ check }: { check: ListCheck }) {
  const rows = check.addresses
    .slice(Math.max(0, check.done - SHOWN), check.done)
    .flatMap((email) => check.results.get(email) ?? [])
    .reverse();
  if (rows.length === 0) return <div />;
  return (
    <DataTable label="Latest results" columns={COLUMNS} rows={rows} getKey={({ email }) => email} dense />
  );
}
