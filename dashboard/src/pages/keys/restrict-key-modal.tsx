/** The dialog that changes the restrictions of a key. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../api/types.ts';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { reloadKeys } from './create-key.ts';
import type { KeyModalProps } from './key-table.tsx';
import { RestrictionFields, toRestrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';

/** The dialog for `apiKey`. */
export function RestrictKeyModal({ opened, apiKey, onClose }: KeyModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Restrict key" size="lg" keepMounted={false}>
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
    mutationFn: () =>
      request('PATCH /account/keys/:id', { id: apiKey.id, body: toRestrictionMembers(value) }),
    onSuccess: () => {
      reloadKeys(client);
      onClose();
    },
  });
  return (
    <Stack>
      <FormError error={findFormError(saving.error, 'operations', 'client_cidrs')} />
      <RestrictionFields
        value={value}
        onChange={setValue}
        errors={{
          operations: findFieldError(saving.error, 'operations'),
          clientCidrs: findFieldError(saving.error, 'client_cidrs'),
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
