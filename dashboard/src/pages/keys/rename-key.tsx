/** The drawer that renames a key. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { findFieldError, findFormError } from '../../api/request.ts';
import type { Key } from '../../api/types.ts';
import { DrawerFormContent, SideDrawer } from '../../components/drawer-form.tsx';
import type { KeyDialogProps } from './key-actions.tsx';
import { useChangeKey } from './key-mutations.ts';

/** Shows the name of `apiKey` in a form. */
export function RenameKey({ opened, apiKey, onClose }: KeyDialogProps) {
  return (
    <SideDrawer opened={opened} onClose={onClose} title="Rename key">
      {apiKey && <RenameForm apiKey={apiKey} onClose={onClose} />}
    </SideDrawer>
  );
}

function RenameForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name);
  const renaming = useChangeKey(apiKey.id, onClose);
  const isEmpty = name.trim() === '';
  return (
    <DrawerFormContent
      action="Rename"
      busy={renaming.isPending}
      error={findFormError(renaming.error, 'name')}
      onSubmit={() => isEmpty || renaming.mutate({ name: name.trim() })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Only you see it. The key itself does not change."
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={isEmpty ? 'Enter a name.' : findFieldError(renaming.error, 'name')}
      />
    </DrawerFormContent>
  );
}
