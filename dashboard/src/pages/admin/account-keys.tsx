/** The keys in the inspector of an account. The working ones can be revoked. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AccountDetail } from '../../api/admin-queries.ts';
import { request } from '../../api/request.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { formatNumber } from '../../components/format.ts';
import { RelativeTime, TableTime } from '../../components/relative-time.tsx';
import { State } from '../../components/state.tsx';
import { reloadKeys } from '../keys/key-mutations.ts';
import classes from './admin-page.module.css';

type Key = AccountDetail['keys'][number];

const KEY_STATES: Record<Key['status'], ['ok' | 'warn' | 'off', string]> = {
  active: ['ok', 'active'],
  expiring: ['warn', 'expires soon'],
  expired: ['off', 'expired'],
  revoked: ['off', 'revoked'],
};

function isLive({ status }: Key): boolean {
  return status === 'active' || status === 'expiring';
}

/** Shows the keys, the working ones first. */
export function AccountKeys({ detail: { account, keys } }: { detail: AccountDetail }) {
  // The dialog keeps its content while it closes.
  const [revoking, setRevoking] = useState<{ apiKey: Key; opened: boolean } | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const sorted = [...keys.filter(isLive), ...keys.filter((key) => !isLive(key))];
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={classes.heading}>
        Keys <span className="dim tabular">{formatNumber(keys.length)}</span>
      </h3>
      {keys.length === 0 && <p className="dim">No key yet.</p>}
      {keys.length > 0 && (
        <ul className={classes.mini} aria-label={`Keys of ${account.email}`}>
          {sorted.map((key) => (
            <KeyItem key={key.id} apiKey={key} onRevoke={() => setRevoking({ apiKey: key, opened: true })} />
          ))}
        </ul>
      )}
      {revoking && (
        <RevokeModal
          account={account}
          {...revoking}
          onClose={() => setRevoking({ ...revoking, opened: false })}
          // The button that opened the dialog is gone.
          onRevoked={() => heading.current?.focus()}
        />
      )}
    </>
  );
}

function KeyItem({ apiKey, onRevoke }: { apiKey: Key; onRevoke: () => void }) {
  const [meaning, word] = KEY_STATES[apiKey.status];
  return (
    <li>
      <span className={classes.miniName} title={`${apiKey.name}: ${word}`}>
        <State meaning={meaning}>
          <span className="truncated">{apiKey.name}</span>
        </State>
      </span>
      <span className="mono dim">…{apiKey.last_four}</span>
      <span className="dim nowrap">
        {isLive(apiKey) ? <TableTime iso={apiKey.last_used_at} none="Never used" /> : word}
      </span>
      {isLive(apiKey) && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Revoke ${apiKey.name} …${apiKey.last_four}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}

interface RevokeProps {
  account: AccountDetail['account'];
  apiKey: Key;
  opened: boolean;
  onClose: () => void;
  onRevoked: () => void;
}

/** Asks before a key of another account is revoked. */
function RevokeModal({ account, apiKey, opened, onClose, onRevoked }: RevokeProps) {
  const client = useQueryClient();
  const revoke = async () => {
    await request('DELETE /account/admin/accounts/:id/keys/:keyId', { id: account.id, keyId: apiKey.id });
    // Administrators see their own keys on other pages too.
    reloadKeys(client);
    await client.invalidateQueries({ queryKey: ['admin'] });
    onRevoked();
  };
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Revoke key?"
      action="Revoke key"
      onConfirm={revoke}
    >
      <span style={{ overflowWrap: 'anywhere' }}>
        <strong>{apiKey.name}</strong> <span className="mono">…{apiKey.last_four}</span> of{' '}
        <strong>{account.email}</strong>{' '}
        {apiKey.last_used_at === null ? 'was never used.' : <LastUse iso={apiKey.last_used_at} />} From now
        on, requests with it get a 401. This cannot be undone.
      </span>
    </ConfirmModal>
  );
}

function LastUse({ iso }: { iso: string }) {
  return (
    <>
      was last used <RelativeTime iso={iso} />.
    </>
  );
}
