/** Everything an administrator may know about one account, and do with it. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AccountDetail, adminAccountQuery } from '../../api/admin-queries.ts';
import { useAccount } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { Inspector, type InspectorMoves } from '../../components/inspector.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { DeleteModal, DisableModal, ResetLinkDrawer } from './account-actions.tsx';
import { AccountFacts, AccountUsage } from './account-facts.tsx';
import { AccountKeys } from './account-keys.tsx';
import classes from './admin-page.module.css';
import { useChangeAccount } from './change-account.ts';

/** Shows the account beside the list. */
export function AccountInspector({ id, moves }: { id: string; moves: InspectorMoves }) {
  const detail = useQuery(adminAccountQuery(id));
  return (
    <Inspector
      title={detail.data?.account.email ?? 'Account'}
      moves={moves}
      footer={detail.data && <Actions detail={detail.data} onDeleted={moves.close} />}
    >
      <QueryState query={detail}>
        <RowsLoading rows={6} height={34} />
      </QueryState>
      {detail.data && (
        <>
          <AccountFacts detail={detail.data} />
          <AccountUsage detail={detail.data} />
          <AccountKeys detail={detail.data} />
        </>
      )}
    </Inspector>
  );
}

type Action = 'disable' | 'delete' | 'link';

function Actions({ detail, onDeleted }: { detail: AccountDetail; onDeleted: () => void }) {
  const { account } = detail;
  const isSelf = useAccount().id === account.id;
  const changing = useChangeAccount();
  // The dialog keeps its content while it closes.
  const [action, setAction] = useState<{ name: Action; opened: boolean } | null>(null);
  const open = (name: Action) => setAction({ name, opened: true });
  const isOpen = (name: Action) => action?.name === name && action.opened;
  const close = () => setAction((last) => last && { ...last, opened: false });
  return (
    <>
      {!isSelf && (
        <Button
          variant="default"
          {...(!account.disabled && { color: 'red' })}
          className={classes.push ?? ''}
          loading={changing.isPending}
          onClick={() =>
            account.disabled ? changing.mutate({ id: account.id, disabled: false }) : open('disable')
          }
        >
          {account.disabled ? 'Enable account' : 'Disable account'}
        </Button>
      )}
      <Button variant="default" onClick={() => open('link')}>
        Password link
      </Button>
      {(!isSelf || !account.email_verified) && (
        <Menu position="top-end">
          <Menu.Target>
            <Button variant="default" px={8} aria-label={`More actions for ${account.email}`}>
              <Icon name="dots" size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {!account.email_verified && (
              <Menu.Item onClick={() => changing.mutate({ id: account.id, email_verified: true })}>
                Mark the address as verified
              </Menu.Item>
            )}
            {!isSelf && (
              <Menu.Item color="red" onClick={() => open('delete')}>
                Delete account
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <DisableModal account={account} opened={isOpen('disable')} onClose={close} />
      <DeleteModal account={account} opened={isOpen('delete')} onClose={close} onDeleted={onDeleted} />
      <ResetLinkDrawer account={account} opened={isOpen('link')} onClose={close} />
    </>
  );
}
