/** The invitations: who may use them, until when, and whether they were used. */
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminInvitesQuery, type Invitation } from '../../api/admin-queries.ts';
import { request } from '../../api/request.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatExact } from '../../components/format.ts';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { RelativeTime, TableTime } from '../../components/relative-time.tsx';
import { State } from '../../components/state.tsx';
import classes from './admin-page.module.css';

/** Lists the invitations, and revokes those that are not used. */
export function InvitesTab() {
  const invites = useQuery(adminInvitesQuery);
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<{ invite: Invitation; opened: boolean } | null>(null);
  const columns = createColumns((invite) => setRevoking({ invite, opened: true }));
  const invite = revoking?.invite;
  return (
    <div className={classes.panel}>
      <QueryState query={invites}>
        <RowsLoading rows={4} />
      </QueryState>
      {invites.data?.length === 0 && (
        <Empty title="No invitations">
          Each is a link that one person can sign up with. Create one with the button Invite.
        </Empty>
      )}
      {invites.data && invites.data.length > 0 && (
        <DataTable
          label="Invitations"
          columns={columns}
          rows={invites.data}
          getKey={({ id }) => id}
          isEnded={({ state }) => state !== 'pending'}
          edge
        />
      )}
      <ConfirmModal
        opened={revoking?.opened ?? false}
        onClose={() => setRevoking((last) => last && { ...last, opened: false })}
        title="Revoke the invitation?"
        action="Revoke"
        onConfirm={async () => {
          await request('DELETE /account/admin/invites/:id', { id: invite?.id ?? '' });
          await client.invalidateQueries({ queryKey: adminInvitesQuery.queryKey });
        }}
      >
        The link {invite?.email ? `for ${invite.email} ` : ''}stops working.
      </ConfirmModal>
    </div>
  );
}

const STATES: Record<Invitation['state'], ['ok' | 'warn' | 'off', string]> = {
  pending: ['ok', 'Pending'],
  used: ['off', 'Used'],
  expired: ['off', 'Expired'],
};

function createColumns(onRevoke: (invite: Invitation) => void): Column<Invitation>[] {
  return [
    {
      key: 'state',
      header: 'State',
      narrow: 'aside',
      render: ({ state }) => <State meaning={STATES[state][0]}>{STATES[state][1]}</State>,
    },
    {
      key: 'email',
      header: 'For',
      strong: true,
      narrow: 'title',
      render: ({ email }) => email ?? <span className="dim">Anyone with the link</span>,
    },
    { key: 'by', header: 'Created by', render: ({ created_by: by }) => by ?? 'Command line' },
    {
      key: 'created',
      header: 'Created',
      number: true,
      render: ({ created_at: at }) => <TableTime iso={at} none="Unknown" />,
    },
    {
      key: 'expires',
      header: 'Expires',
      number: true,
      narrow: 'note',
      render: (invite) => <End invite={invite} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      number: true,
      narrow: 'actions',
      render: (invite) =>
        invite.state === 'pending' && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Revoke the invitation for ${invite.email ?? 'anyone'}`}
            onClick={() => onRevoke(invite)}
          >
            Revoke
          </Button>
        ),
    },
  ];
}

function End({ invite: { used_at: usedAt, expires_at: expiresAt } }: { invite: Invitation }) {
  if (usedAt === null) return <RelativeTime iso={expiresAt} />;
  return (
    <span title={formatExact(usedAt)}>
      Used <TableTime iso={usedAt} />
    </span>
  );
}
