/** The drawer that changes the restrictions of a key. */
import { useState } from 'react';
import { findFormError } from '../../api/request.ts';
import type { Key } from '../../api/types.ts';
import { DrawerFormContent, SideDrawer } from '../../components/drawer-form.tsx';
import type { KeyDialogProps } from './key-actions.tsx';
import { useChangeKey } from './key-mutations.ts';
import { RestrictionFields, toRestrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';

/** Shows the restrictions of `apiKey` in a form. */
export function RestrictKey({ opened, apiKey, onClose }: KeyDialogProps) {
  return (
    <SideDrawer opened={opened} onClose={onClose} title="Restrict key">
      {apiKey && <RestrictForm apiKey={apiKey} onClose={onClose} />}
    </SideDrawer>
  );
}

function RestrictForm({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const [value, setValue] = useState({
    operations: apiKey.operations ?? UNRESTRICTED.operations,
    clientCidrs: apiKey.client_cidrs ?? [],
  });
  const saving = useChangeKey(apiKey.id, onClose);
  return (
    <DrawerFormContent
      action="Save"
      busy={saving.isPending}
      disabled={value.operations.length === 0}
      error={findFormError(saving.error, 'operations', 'client_cidrs')}
      onSubmit={() => saving.mutate(toRestrictionMembers(value))}
      onClose={onClose}
    >
      <RestrictionFields value={value} onChange={setValue} error={saving.error} />
    </DrawerFormContent>
  );
}
