/** The dialog that renames a key. */
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findFieldError, findFormError } from '../../api/request.ts';
import type { Key } from '../../api/types.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { useChangeKey } from './key-mutations.ts';
import type { KeyModalProps } from './key-table.tsx';

/** Shows the name of `apiKey` in a form. */
export function RenameKeyModal({ opened, apiKey, onClose }: KeyModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Rename key" keepMounted={false}>
      {apiKey && <RenameForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function RenameForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name);
  const renaming = useChangeKey(apiKey.id, onClose);
  const isEmpty = name.trim() === '';
  return (
    <DialogForm
      action="Rename"
      busy={renaming.isPending}
      onSubmit={() => isEmpty || renaming.mutate({ name: name.trim() })}
      onCancel={onClose}
    >
      <FormError error={findFormError(renaming.error, 'name')} />
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isEmpty ? 'Enter a name.' : findFieldError(renaming.error, 'name')}
      />
    </DialogForm>
  );
}
