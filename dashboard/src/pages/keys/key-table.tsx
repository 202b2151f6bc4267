/** The list of keys: one line each, with state, restrictions, use and a menu. */
import type { ListedKey } from '../../api/types.ts';
import { formatMaskedKey } from '../../components/api-key.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { formatCount, formatDay, formatExact, formatNumber } from '../../components/format.ts';
import { getOperation } from '../../components/operations.ts';
import { TableTime } from '../../components/relative-time.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { State, Tag } from '../../components/state.tsx';
import { type KeyAction, KeyMenu } from './key-actions.tsx';
import { describeState, getGroup } from './key-state.ts';
import classes from './keys.module.css';

const COLUMNS: readonly Column<ListedKey>[] = [
  { key: 'state', header: 'State', narrow: 'aside', render: (key) => <KeyState apiKey={key} /> },
  {
    key: 'name',
    header: 'Name',
    strong: true,
    narrow: 'title',
    render: ({ name }) => (
      <span className={classes.name} title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'key',
    header: 'Key',
    narrow: 'note',
    render: (key) => <span className="mono nowrap">{formatMaskedKey(key)}</span>,
  },
  { key: 'operations', header: 'May call', render: (key) => <MayCall apiKey={key} /> },
  {
    key: 'used',
    header: 'Last used',
    render: ({ last_used_at: at }) => <TableTime iso={at} />,
  },
  { key: 'expires', header: 'Expires', render: (key) => <Expires apiKey={key} /> },
  {
    key: 'requests',
    header: 'Requests, 30 days',
    number: true,
    narrow: 'noteAside',
    render: ({ usage }) => <span className="nowrap">{formatNumber(usage.last_30_days)}</span>,
  },
  {
    key: 'trend',
    header: 'Trend',
    hideHeader: true,
    render: ({ usage }) => usage.last_30_days > 0 && <Sparkline values={usage.by_day} />,
  },
  {
    key: 'created',
    header: 'Created',
    render: ({ created_at: at }) => <Day iso={at} />,
  },
];

/** Shows one row per key. Long names are truncated; a tooltip shows them in full. */
export function KeyTable({
  keys,
  onAction,
}: {
  keys: readonly ListedKey[];
  onAction: (action: KeyAction, key: ListedKey) => void;
}) {
  const actions: Column<ListedKey> = {
    key: 'actions',
    header: 'Actions',
    hideHeader: true,
    number: true,
    narrow: 'actions',
    render: (key) => <KeyMenu apiKey={key} onAction={(action) => onAction(action, key)} />,
  };
  return (
    <div className={classes.table}>
      <DataTable
        label="Keys"
        columns={[...COLUMNS, actions]}
        rows={keys}
        getKey={({ id }) => id}
        edge
        isEnded={(key) => getGroup(key) === 'ended'}
      />
    </div>
  );
}

function KeyState({ apiKey }: { apiKey: ListedKey }) {
  const { word, meaning, sentence } = describeState(apiKey);
  return (
    <span title={sentence}>
      <State meaning={meaning}>{word}</State>
    </span>
  );
}

function MayCall({ apiKey: { operations, client_cidrs: networks } }: { apiKey: ListedKey }) {
  return (
    <span className="nowrap">
      {operations?.map((id) => getOperation(id).short).join(', ') ?? 'All'}
      {networks && (
        <span className="dim" title={networks.join(', ')}>
          , {formatCount(networks.length, 'network')}
        </span>
      )}
    </span>
  );
}

/** A date that comes soon is news. A revoked key does not expire. */
function Expires({ apiKey }: { apiKey: ListedKey }) {
  const { expires_at: at, status } = apiKey;
  if (status === 'revoked') return <span className="dim">–</span>;
  if (at === null) return 'Never';
  return status === 'expiring' ? (
    <Tag meaning="warn">
      <Day iso={at} />
    </Tag>
  ) : (
    <Day iso={at} />
  );
}

function Day({ iso }: { iso: string }) {
  return (
    <time className="nowrap" dateTime={iso} title={formatExact(iso)}>
      {formatDay(iso)}
    </time>
  );
}
