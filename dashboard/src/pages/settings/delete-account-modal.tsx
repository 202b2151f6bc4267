/** The dialog that deletes the account. */
import { List, Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clearSession } from '../../api/session.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { PasswordField } from '../../components/password-field.tsx';

/** Asks for the password, deletes the account and opens the sign-in page. */
export function DeleteAccountModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Delete the account?" keepMounted={false}>
      <DeleteAccountForm onClose={onClose} />
    </Modal>
  );
}

function DeleteAccountForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const deleting = useMutation({
    mutationFn: () => request('DELETE /account', { body: { password } }),
    onSuccess: () => clearSession(client, 'deleted'),
  });
  const submit = () => {
    setInvalid(password === '' ? 'Enter your password.' : null);
    if (password !== '') deleting.mutate();
  };
  return (
    <DialogForm
      action="Delete everything"
      color="red"
      busy={deleting.isPending}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" component="div">
        This cannot be undone:
        <List size="sm" mt="xs">
          <List.Item>All your keys stop working immediately.</List.Item>
          <List.Item>Your address, sessions, usage and request log are deleted.</List.Item>
        </List>
      </Text>
      <FormError error={findFormError(deleting.error, 'password')} />
      <PasswordField
        label="Your password"
        data-autofocus
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={invalid ?? findFieldError(deleting.error, 'password')}
      />
    </DialogForm>
  );
}
