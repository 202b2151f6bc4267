/** The dialog that renames a key. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { reloadKeys } from './create-key.ts';
import type { KeyModalProps } from './key-table.tsx';

/** The dialog for `apiKey`. */
export function RenameKeyModal({ opened, apiKey, onClose }: KeyModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Rename key" keepMounted={false}>
      {apiKey && <RenameForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function RenameForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(apiKey.name);
  const renaming = useMutation({
    mutationFn: () => request('PATCH /account/keys/:id', { id: apiKey.id, body: { name: name.trim() } }),
    onSuccess: () => {
      reloadKeys(client);
      onClose();
    },
  });
  return (
    <Form
      busy={renaming.isPending}
      onSubmit={() => {
        if (name.trim() !== '' && !renaming.isPending) renaming.mutate();
      }}
    >
      <Stack>
        <FormError error={findFormError(renaming.error, 'name')} />
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={name.trim() === '' ? 'Enter a name.' : findFieldError(renaming.error, 'name')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={renaming.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
