/** A check in progress: the meter, the time left, the counts, and the CSV of the results. */
import { Button } from '@mantine/core';
import { formatDuration, formatNumber } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Meter } from '../../../components/meter.tsx';
import { FormError } from '../../../components/page-states.tsx';
import type { AddressList } from './address-list.ts';
import type { ListCheck } from './list-check.ts';
import { formatResultCsv, type Kind, KINDS } from './list-result.ts';
import classes from './list.module.css';

/** Shows the check with its buttons. */
export function ListProgress({
  list,
  column,
  check,
}: {
  list: AddressList;
  column: number;
  check: ListCheck;
}) {
  const { done, addresses, status } = check;
  return (
    <div className={classes.well} data-testid="list-progress" data-status={status}>
      <div className={classes.file}>
        <Icon name="listDetails" size={20} />
        <div>
          <b>{list.name}</b>
          <span>
            {formatNumber(list.rows.length)} rows, column <b>{list.header[column]}</b> ({column + 1} of{' '}
            {list.header.length})
          </span>
        </div>
        <div className={classes.buttons}>
          <StepButton check={check} />
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            disabled={done === 0}
            onClick={() => saveResults(list, column, check)}
          >
            {status === 'finished' ? 'Download results' : 'Results so far'}
          </Button>
        </div>
      </div>
      <Meter used={done} limit={addresses.length} label="Addresses checked" tall meaning="none" />
      <p className={classes.under} role="status">
        <span>
          <b>{formatNumber(done)}</b> of {formatNumber(addresses.length)},{' '}
          {Math.floor((done / Math.max(1, addresses.length)) * 100)}%
        </span>
        <span>{describeStatus(check)}</span>
      </p>
      <dl className={classes.counts}>
        {(Object.keys(KINDS) as Kind[]).map((kind) => (
          <div key={kind}>
            <dt>{KINDS[kind].name}</dt>
            <dd>{formatNumber(check.counts[kind])}</dd>
          </div>
        ))}
      </dl>
      {status === 'failed' && <FormError error={check.error} />}
    </div>
  );
}

function StepButton({ check }: { check: ListCheck }) {
  const { status } = check;
  if (status === 'finished') return null;
  if (status === 'paused' || status === 'failed')
    return (
      <Button
        variant="subtle"
        leftSection={<Icon name="playerPlay" size={16} />}
        onClick={() => void check.start()}
      >
        {status === 'failed' ? 'Try again' : 'Continue'}
      </Button>
    );
  return (
    <Button variant="subtle" disabled={status === 'pausing'} onClick={() => check.pause()}>
      Pause
    </Button>
  );
}

function describeStatus({ status, waitSeconds }: ListCheck): string {
  if (status === 'waiting') return `Waiting ${formatDuration(waitSeconds * 1000)} for the limit`;
  const words = {
    running: 'Checking',
    pausing: 'Pausing after this batch',
    paused: 'Paused',
    finished: 'Finished',
    failed: 'Stopped',
  };
  return words[status];
}

/** Saves the results as a file. The address of the file is revoked when the browser has it. */
function saveResults(list: AddressList, column: number, { results }: ListCheck): void {
  const url = URL.createObjectURL(
    new Blob(formatResultCsv(list, column, results), { type: 'text/csv;charset=utf-8' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `${list.name.replace(/\.[a-z]+$/i, '')}-checked.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
