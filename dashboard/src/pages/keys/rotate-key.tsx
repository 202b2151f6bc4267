/** The drawer that replaces a key. The old key keeps working for a grace period. */
import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { planQuery } from '../../api/queries.ts';
import type { Key, RotatedKey } from '../../api/types.ts';
import { formatMaskedKey } from '../../components/api-key.ts';
import { DrawerFormContent } from '../../components/drawer-form.tsx';
import type { KeyDialogProps } from './key-actions.tsx';
import { KeyCreated } from './key-created.tsx';
import { useRotateKey } from './key-mutations.ts';
import { SecretDrawer } from './secret-drawer.tsx';

const GRACE_PERIODS = [
  { value: '0', label: 'Immediately' },
  { value: '1', label: 'In 1 day' },
  { value: '3', label: 'In 3 days' },
  { value: '7', label: 'In 7 days' },
];

/** Shows the choice of a grace period for `apiKey`, then the new secret. */
export function RotateKey({ opened, apiKey, onClose }: KeyDialogProps) {
  return (
    <SecretDrawer opened={opened} onClose={onClose} title="Rotate key">
      {(onShown) => apiKey && <RotateForm apiKey={apiKey} onClose={onClose} onShown={onShown} />}
    </SecretDrawer>
  );
}

function RotateForm({ apiKey, onClose, onShown }: { apiKey: Key; onClose: () => void; onShown: () => void }) {
  const [grace, setGrace] = useState('1');
  const rotating = useRotateKey(apiKey.id);
  const plan = useQuery(planQuery).data;
  if (rotating.data) {
    return (
      <KeyCreated created={rotating.data} onDone={onClose} note={describeEndedKeys(rotating.data, grace)} />
    );
  }
  const full = plan !== undefined && plan.keys_used >= plan.keys_limit;
  return (
    <DrawerFormContent
      action="Rotate"
      busy={rotating.isPending}
      error={rotating.error}
      onSubmit={() => rotating.mutate(Number(grace), { onSuccess: onShown })}
      onClose={onClose}
    >
      <Text size="sm">
        You get a new key with the name, expiry and restrictions of{' '}
        <strong style={{ overflowWrap: 'anywhere' }}>{apiKey.name}</strong>. Deploy it before the old one
        stops working.
      </Text>
      <Select
        label="The old key stops working"
        data={GRACE_PERIODS}
        value={grace}
        allowDeselect={false}
        onChange={(value) => setGrace(value ?? '1')}
      />
      {full && grace !== '0' && (
        <Text size="sm">
          All {plan.keys_limit} keys are in use. To make room, the oldest grace period of another key ends
          now. If there is none, the old key stops working immediately.
        </Text>
      )}
    </DrawerFormContent>
  );
}

/** Describes which keys the rotation ended, and when. */
function describeEndedKeys({ old, ended }: RotatedKey, grace: string): string {
  const names = ended.map((key) => `${key.name} (${formatMaskedKey(key)})`).join(', ');
  const others =
    ended.length === 0 ? '' : ` All keys were in use, so the grace period of ${names} has ended.`;
  if (old.status === 'revoked')
    return `The old key has stopped working${grace === '0' ? '' : ': all keys are in use, so there is no grace period'}.${others}`;
  const time = grace === '1' ? '1 day' : `${grace} days`;
  return `The old key keeps working for ${time}. Until then both share one rate limit.${others}`;
}
