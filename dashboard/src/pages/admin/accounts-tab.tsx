/** All accounts, and the inspector of one. */
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminAccountsQuery } from '../../api/queries.ts';
import type { AdminAccount } from '../../api/types.ts';
import { FilterBar } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NothingMatches } from '../../components/empty.tsx';
import { formatNumber } from '../../components/format.ts';
import { WithInspector } from '../../components/inspector.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { TableTime } from '../../components/relative-time.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { State, Tag } from '../../components/state.tsx';
import { AccountInspector } from './account-inspector.tsx';
import classes from './admin-page.module.css';
import { useAdminState } from './admin-state.ts';

/** Lists the accounts whose address contains the search text. */
export function AccountsTab() {
  const { account: selected, change } = useAdminState();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), 250);
  const accounts = useInfiniteQuery(adminAccountsQuery(settled));
  const columns = useColumns(selected !== undefined);
  const rows = accounts.data?.pages.flatMap((page) => page.accounts) ?? [];
  const select = (id: string | undefined) => change({ account: id });
  const at = rows.findIndex(({ id }) => id === selected);
  const moveTo = (row: AdminAccount | undefined) => row && (() => select(row.id));
  return (
    <div className={classes.accounts}>
      <WithInspector
        inspector={
          selected !== undefined && (
            <AccountInspector
              key={selected}
              id={selected}
              moves={{
                previous: at < 0 ? undefined : moveTo(rows[at - 1]),
                next: at < 0 ? undefined : moveTo(rows[at + 1]),
                close: () => select(undefined),
              }}
            />
          )
        }
      >
        <div className={classes.bar}>
          <FilterBar label="Filters of accounts">
            <SearchField
              label="Search by email address"
              placeholder="Email address"
              value={search}
              onChange={setSearch}
            />
          </FilterBar>
        </div>
        <QueryState query={accounts}>
          <RowsLoading rows={6} />
        </QueryState>
        {accounts.data && rows.length === 0 && (
          <NothingMatches title="No account found">
            No address contains “{settled.slice(0, 80)}”.
          </NothingMatches>
        )}
        {rows.length > 0 && (
          <DataTable
            label="Accounts"
            columns={columns}
            edge
            rows={rows}
            getKey={({ id }) => id}
            onSelect={({ id }) => select(id)}
            selectedKey={selected}
            isEnded={({ disabled }) => disabled}
          />
        )}
        <ShowMore query={accounts} label="Show more accounts" />
      </WithInspector>
    </div>
  );
}

const COLUMNS: readonly Column<AdminAccount>[] = [
  {
    key: 'state',
    header: 'State',
    narrow: 'aside',
    render: (row) => <AccountState row={row} />,
  },
  {
    key: 'email',
    header: 'Account',
    strong: true,
    narrow: 'title',
    render: ({ email, admin }) => (
      <>
        {email} {admin && <Tag>Administrator</Tag>}
      </>
    ),
  },
  {
    key: 'plan',
    header: 'Plan',
    narrow: 'note',
    render: ({ plan }) => <span className="nowrap">{plan}</span>,
  },
  { key: 'keys', header: 'Keys', number: true, render: ({ keys }) => formatNumber(keys) },
  {
    key: 'created',
    header: 'Created',
    number: true,
    render: ({ created_at: at }) => <TableTime iso={at} />,
  },
  {
    key: 'used',
    header: 'Last used',
    number: true,
    narrow: 'noteAside',
    render: ({ last_used_at: at }) => <TableTime iso={at} />,
  },
];

/** Returns the columns that fit, beside the inspector if it is open. */
function useColumns(isInspecting: boolean): readonly Column<AdminAccount>[] {
  const isWide = useMediaQuery('(min-width: 80em)');
  if (!isInspecting) return COLUMNS;
  const left = isWide ? ['keys', 'created'] : ['plan', 'keys', 'created', 'used'];
  return COLUMNS.filter(({ key }) => !left.includes(key));
}

function AccountState({ row }: { row: AdminAccount }) {
  if (row.disabled) return <State meaning="off">Disabled</State>;
  if (row.keys_disabled_at !== null) return <State meaning="off">Keys disabled</State>;
  return row.email_verified ? <State meaning="ok">Active</State> : <State meaning="warn">Unverified</State>;
}
