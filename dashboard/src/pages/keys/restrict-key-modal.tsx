/** The dialog that changes what a key may call and from where. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import type { Key } from '../../api/types.ts';
import { FormError } from '../../components/page-states.tsx';
import { fieldError, otherError } from '../../components/field-errors.ts';
import { refreshKeys } from './create-key.ts';
import type { KeyModalProps } from './key-table.tsx';
import { RestrictionFields, restrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';

/** The dialog for `apiKey`. */
export function RestrictKeyModal({ opened, apiKey, onClose }: KeyModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Restrict the key" size="lg" keepMounted={false}>
      {apiKey && <RestrictForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function RestrictForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const client = useQueryClient();
  const [value, setValue] = useState({
    operations: apiKey.operations ?? UNRESTRICTED.operations,
    clientCidrs: apiKey.client_cidrs ?? [],
  });
  const saving = useMutation({
    mutationFn: () => request('PATCH', `/account/keys/${apiKey.id}`, { body: restrictionMembers(value) }),
    onSuccess: () => {
      refreshKeys(client);
      onClose();
    },
  });
  return (
    <Stack>
      <FormError error={otherError(saving.error, 'operations', 'client_cidrs')} />
      <RestrictionFields
        value={value}
        onChange={setValue}
        errors={{
          operations: fieldError(saving.error, 'operations'),
          clientCidrs: fieldError(saving.error, 'client_cidrs'),
        }}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={saving.isPending}
          disabled={value.operations.length === 0}
          onClick={() => saving.mutate()}
        >
          Save
        </Button>
      </Group>
    </Stack>
  );
}
