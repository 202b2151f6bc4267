/** The form that changes the password. */
import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { devicesQuery } from '../../api/queries.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { validatePassword } from '../../components/credentials.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { NewPasswordField, PasswordField } from '../../components/password-field.tsx';
import { Section } from '../../components/section.tsx';

/** Changes the password and signs out every other device. */
export function PasswordSection() {
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [problems, setProblems] = useState<{ current?: string | null; chosen?: string | null }>({});
  const changing = useMutation({
    mutationFn: () =>
      request('POST /account/password', { body: { current_password: current, new_password: chosen } }),
    onSuccess: () => {
      setCurrent('');
      setChosen('');
      notifications.show({
        color: 'green',
        title: 'Password changed',
        message: 'Every other device was signed out.',
      });
      void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
    },
  });
  const submit = () => {
    const found = {
      current: current === '' ? 'Enter your current password.' : null,
      chosen: validatePassword(chosen),
    };
    setProblems(found);
    if (!found.current && !found.chosen) changing.mutate();
  };
  return (
    <Section title="Password" description="Changing it signs out every other device.">
      <Form busy={changing.isPending} onSubmit={submit}>
        <Stack>
          <FormError error={findFormError(changing.error, 'current_password', 'new_password', 'password')} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              error={problems.current ?? findFieldError(changing.error, 'current_password')}
            />
            <NewPasswordField
              label="New password"
              value={chosen}
              onChange={setChosen}
              error={problems.chosen ?? findFieldError(changing.error, 'new_password', 'password')}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" loading={changing.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
