/** The dialog that deletes the account. */
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clearSession } from '../../api/session.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { Form } from '../../components/form.tsx';
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
    if (password !== '' && !deleting.isPending) deleting.mutate();
  };
  return (
    <Form busy={deleting.isPending} onSubmit={submit}>
      <Stack>
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
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={deleting.isPending}>
            Delete everything
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
