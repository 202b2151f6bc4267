/** The errors and the keys of today, side by side. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { formatNumber, formatRelative, formatWhen, formatExact } from '../../components/format.ts';
import { getLoggedOperation } from '../../components/operations.ts';
import { useClock } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StatusCode, Tag } from '../../components/state.tsx';
import classes from './overview.module.css';

/** Shows both lists. */
export function TodayLists({ overview }: { overview: Overview }) {
  return (
    <div className={classes.lists}>
      <ErrorList errors={overview.errors} />
      <KeyList keys={overview.keys.top} />
    </div>
  );
}

function ErrorList({ errors }: { errors: Overview['errors'] }) {
  const from = useClock((nowMs) => `${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00.000Z`);
  return (
    <Section
      title="Errors today"
      actions={
        errors.length > 0 && (
          <Link to="/requests" search={{ status: '4xx,5xx', from }} className={classes.more}>
            Show in requests
          </Link>
        )
      }
    >
      {errors.length === 0 ? (
        <p className={classes.none}>No errors today</p>
      ) : (
        <ul className={classes.list} aria-label="Errors today">
          {errors.map(({ error, status, operation, requests }) => (
            <li key={`${error} ${operation}`}>
              <span className={classes.status}>
                <StatusCode status={status} />
              </span>
              <Link
                to="/requests"
                search={{ error, operation, from }}
                className={`mono ${classes.name ?? ''}`}
              >
                {error}
              </Link>
              <span className="dim nowrap">{getLoggedOperation(operation).short}</span>
              <span className={classes.count}>{formatNumber(requests)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function KeyList({ keys }: { keys: Overview['keys']['top'] }) {
  return (
    <Section
      title="Keys today"
      actions={
        <Link to="/keys" className={classes.more}>
          All keys
        </Link>
      }
    >
      {keys.length === 0 ? (
        <p className={classes.none}>No keys</p>
      ) : (
        <ul className={classes.list} aria-label="Keys today">
          {keys.map((key) => (
            <li key={key.id}>
              <Link
                to="/requests"
                search={{ key: key.id }}
                className={`strong ${classes.name ?? ''}`}
                title={key.name}
              >
                {key.name}
              </Link>
              <KeyNews keyOfRow={key} />
              <span className={classes.count}>{formatNumber(key.requests)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Shows what is news about a key: that it ends or has ended, otherwise its last use. */
function KeyNews({ keyOfRow: key }: { keyOfRow: Overview['keys']['top'][number] }) {
  const { status, expires_at: expiresAt, last_used_at: usedAt } = key;
  const text = useClock((nowMs) => {
    if (status === 'expiring' && expiresAt !== null) return `Expires ${formatRelative(expiresAt, nowMs)}`;
    return usedAt === null ? 'Never used' : formatWhen(usedAt, nowMs);
  });
  if (status === 'revoked') return <Tag meaning="bad">Revoked</Tag>;
  if (status === 'expired') return <Tag meaning="bad">Expired</Tag>;
  if (status === 'expiring') return <Tag meaning="warn">{text}</Tag>;
  return (
    <span className="dim nowrap" title={usedAt === null ? undefined : formatExact(usedAt)}>
      {text}
    </span>
  );
}
