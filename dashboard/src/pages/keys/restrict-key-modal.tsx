/** The dialog that changes the restrictions of a key. */
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { findFormError } from '../../api/request.ts';
import type { Key } from '../../api/types.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { useChangeKey } from './key-mutations.ts';
import { RestrictionFields, toRestrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';
import type { KeyModalProps } from './key-table.tsx';

/** Shows the restrictions of `apiKey` in a form. */
export function RestrictKeyModal({ opened, apiKey, onClose }: KeyModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Restrict key" size="lg" keepMounted={false}>
      {apiKey && <RestrictForm apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function RestrictForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [value, setValue] = useState({
    operations: apiKey.operations ?? UNRESTRICTED.operations,
    clientCidrs: apiKey.client_cidrs ?? [],
  });
  const saving = useChangeKey(apiKey.id, onClose);
  return (
    <DialogForm
      action="Save"
      busy={saving.isPending}
      disabled={value.operations.length === 0}
      onSubmit={() => saving.mutate(toRestrictionMembers(value))}
      onCancel={onClose}
    >
      <FormError error={findFormError(saving.error, 'operations', 'client_cidrs')} />
      <RestrictionFields value={value} onChange={setValue} error={saving.error} />
    </DialogForm>
  );
}
