/** The dialogs of what an administrator can do with an account. */
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountDetail } from '../../api/admin-queries.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { DrawerBody, DrawerFooter, SideDrawer } from '../../components/drawer-form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { useChangeAccount } from './change-account.ts';
import { HandedLink } from './handed-link.tsx';

interface ActionProps {
  account: AccountDetail['account'];
  opened: boolean;
  onClose: () => void;
}

/** Asks before the account is disabled. */
export function DisableModal({ account, opened, onClose }: ActionProps) {
  const changing = useChangeAccount();
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Disable the account?"
      action="Disable account"
      onConfirm={() => changing.mutateAsync({ id: account.id, disabled: true })}
    >
      <strong style={{ overflowWrap: 'anywhere' }}>{account.email}</strong> is signed out, and its keys stop
      working until you enable it again. Nothing is deleted.
    </ConfirmModal>
  );
}

/** Asks for the address of the account before it is deleted. */
export function DeleteModal({ onDeleted, ...props }: ActionProps & { onDeleted: () => void }) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Delete the account?" keepMounted={false}>
      <DeleteForm {...props} onDeleted={onDeleted} />
    </Modal>
  );
}

function DeleteForm({ account, onClose, onDeleted }: ActionProps & { onDeleted: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const deleting = useMutation({
    mutationFn: () =>
      request('DELETE /account/admin/accounts/:id', { id: account.id, body: { email: email.trim() } }),
    onSuccess: async () => {
      onClose();
      onDeleted();
      await client.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  const submit = () => {
    const matches = email.trim().toLowerCase() === account.email;
    setIsWrong(!matches);
    if (matches) deleting.mutate();
  };
  const error = isWrong ? 'This is not the address of the account.' : findFieldError(deleting.error, 'email');
  return (
    <DialogForm
      action="Delete account"
      color="red"
      busy={deleting.isPending}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm">
        Its keys stop working, and its data is deleted: sessions, usage, request log. This cannot be undone.
        Type <strong style={{ overflowWrap: 'anywhere' }}>{account.email}</strong> to confirm.
      </Text>
      <FormError error={findFormError(deleting.error, 'email')} />
      <TextInput
        label="Email address of the account"
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={error}
        aria-invalid={error !== undefined || undefined}
      />
    </DialogForm>
  );
}

/** Creates a link that sets the password of the account, to hand over. */
export function ResetLinkDrawer({ account, opened, onClose }: ActionProps) {
  const creating = useMutation({
    mutationFn: () => request('POST /account/admin/accounts/:id/reset-link', { id: account.id, body: {} }),
  });
  const close = () => {
    onClose();
    creating.reset();
  };
  return (
    <SideDrawer title="Password link" opened={opened} onClose={close}>
      <DrawerBody>
        <Text size="sm">
          The person who opens the link sets a new password of{' '}
          <strong style={{ overflowWrap: 'anywhere' }}>{account.email}</strong>. Hand it to the owner over a
          channel that you trust: it is not mailed.
        </Text>
        {!account.email_verified && (
          <Text size="sm">
            The address is unverified: setting a password revokes all keys of the account.
          </Text>
        )}
        <FormError error={creating.error} />
        {creating.data && <HandedLink url={creating.data.url} expiresAt={creating.data.expires_at} />}
      </DrawerBody>
      <DrawerFooter>
        {creating.data ? (
          <Button variant="default" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button variant="subtle" onClick={close}>
              Cancel
            </Button>
            <Button data-autofocus loading={creating.isPending} onClick={() => creating.mutate()}>
              Create link
            </Button>
          </>
        )}
      </DrawerFooter>
    </SideDrawer>
  );
}
