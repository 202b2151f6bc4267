/** The confirmation before a key is revoked. */
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { ListedKey } from '../../api/types.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { formatCount } from '../../components/format.ts';
import { useClock } from '../../components/relative-time.tsx';
import { formatWhen } from '../../components/format.ts';
import type { KeyDialogProps } from './key-actions.tsx';
import { reloadKeys } from './key-mutations.ts';

/** Shows what depends on the key. */
export function RevokeKey({ opened, apiKey, onClose }: KeyDialogProps) {
  const client = useQueryClient();
  const revoke = async () => {
    if (apiKey === null) return;
    await request('DELETE /account/keys/:id', { id: apiKey.id });
    reloadKeys(client);
  };
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Revoke key?"
      action="Revoke key"
      onConfirm={revoke}
    >
      {apiKey && <Consequences apiKey={apiKey} />}
    </ConfirmModal>
  );
}

function Consequences({ apiKey }: { apiKey: ListedKey }) {
  const { last_used_at: usedAt, usage, name } = apiKey;
  const last = useClock((nowMs) => (usedAt === null ? '' : formatWhen(usedAt, nowMs)));
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <strong>{name}</strong>{' '}
      {usedAt === null
        ? 'was never used.'
        : `served ${formatCount(usage.today, 'request')} today, the last one ${/\d s|min/.test(last) ? last : `on ${last}`}.`}{' '}
      From now on, requests with it get a 401. This cannot be undone.
    </Text>
  );
}
