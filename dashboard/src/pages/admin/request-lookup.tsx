/** Finds a logged request of any account by its id. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { adminRequestQuery, type FoundRequest } from '../../api/admin-queries.ts';
import { Fact, Facts } from '../../components/facts.tsx';
import { formatDuration, formatExact, formatLogTime, formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { LoadError } from '../../components/page-states.tsx';
import { OperationName, StatusCode } from '../../components/state.tsx';
import classes from './admin-page.module.css';
import { useAdminState } from './admin-state.ts';

/** Shows the field. Enter looks the request up. */
export function RequestLookup() {
  const { request = '', change } = useAdminState();
  const [id, setId] = useState(request);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ request: id.trim() === '' ? undefined : id.trim() });
  };
  return (
    <form role="search" onSubmit={submit} className={classes.lookup}>
      <TextInput
        type="search"
        aria-label="Look up a request by its ID"
        placeholder="Request ID"
        leftSection={<Icon name="search" size={16} />}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.id ?? '' }}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
    </form>
  );
}

/** Shows the request that was looked up, or that there is none. */
export function FoundRequestPanel() {
  const { request = '', change } = useAdminState();
  const found = useQuery(adminRequestQuery(request));
  if (request === '') return null;
  if (found.isError) return <LoadError error={found.error} retry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  const close = () => change({ request: undefined });
  return (
    <section className={classes.found} aria-label="Request" role="status">
      {found.data ? (
        <Found key={found.data.id} line={found.data} onClose={close} />
      ) : (
        <div className={classes.foundLine}>
          <span className={classes.grow}>
            <span className="strong">No request with this ID.</span>{' '}
            <span className="dim">Requests are kept for 7 days and are here within seconds.</span>
          </span>
          <CloseButton onClose={close} />
        </div>
      )}
    </section>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <ActionIcon variant="subtle" size="lg" aria-label="Close the request" onClick={onClose}>
      <Icon name="close" size={16} />
    </ActionIcon>
  );
}

function Found({ line, onClose }: { line: FoundRequest; onClose: () => void }) {
  const { change } = useAdminState();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <div className={classes.foundLine}>
        <StatusCode status={line.status} />
        {line.error !== null && <span className="mono strong">{line.error}</span>}
        <span className="mono">{formatCall(line)}</span>
        <span className="dim tabular" title={formatExact(line.at)}>
          {formatLogTime(line.at)} UTC
        </span>
        <span className="tabular">{formatDuration(line.ms)}</span>
        <span className={classes.grow}>
          <button
            type="button"
            className={`focus ${classes.link ?? ''}`}
            onClick={() => change({ tab: 'accounts', account: line.account.id })}
          >
            {line.account.email ?? 'Deleted account'}
          </button>{' '}
          <span className="dim">{line.key_name}</span>
        </span>
        <Button variant="subtle" size="xs" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? 'Less' : 'Details'}
        </Button>
        <CloseButton onClose={onClose} />
      </div>
      {opened && (
        <div className={classes.foundFacts}>
          <FoundFacts line={line} />
        </div>
      )}
    </>
  );
}

function FoundFacts({ line }: { line: FoundRequest }) {
  const phases = line.phases.map(({ phase, ms }) => `${PHASES[phase]} ${formatDuration(ms)}`);
  return (
    <Facts>
      <Fact label="Request ID" copy={line.request_id}>
        <span className="mono">{line.request_id}</span>
      </Fact>
      <Fact label="Operation">
        <OperationName operation={line.operation} />
      </Fact>
      {line.param !== null && (
        <Fact label="Parameter">
          <span className="mono">{line.param}</span>
        </Fact>
      )}
      <Fact label="Key">
        {line.key_name}{' '}
        {line.key ? (
          <span className="mono dim">
            {line.key.prefix}…{line.key.last_four}
          </span>
        ) : (
          '(deleted)'
        )}
      </Fact>
      <Fact label="Plan">{line.account.plan ?? 'Unknown'}</Fact>
      {line.limit_per_minute !== null && (
        <Fact label="Limit">
          {`${formatNumber(line.units ?? 0)} used of ${formatNumber(line.limit_per_minute)} a minute, ${formatNumber(line.limit_remaining ?? 0)} left`}
        </Fact>
      )}
      {line.timeout_ms !== null && <Fact label="Timeout">{formatDuration(line.timeout_ms)}</Fact>}
      {line.failed_items !== null && <Fact label="Failed items">{formatNumber(line.failed_items)}</Fact>}
      {phases.length > 0 && <Fact label="Time">{phases.join(', ')}</Fact>}
    </Facts>
  );
}

const PHASES: Record<FoundRequest['phases'][number]['phase'], string> = {
  queue: 'queue',
  dns: 'DNS',
  connect: 'connect',
  first_byte: 'first byte',
  body: 'body',
  render: 'render',
  load: 'load',
  print: 'print',
};

function formatCall({ method, path, operation }: FoundRequest): string {
  return method === null || path === null ? operation : `${method} ${path}`;
}
