/** The form that changes the password, or sets the first one. */
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { devicesQuery } from '../../api/queries.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { useAccount } from '../../api/session.ts';
import { type SignInMethods, signInMethodsQuery } from '../../api/sign-in-queries.ts';
import { validatePassword } from '../../components/credentials.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/page-states.tsx';
import { NewPasswordField, PasswordField } from '../../components/password-field.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The member of the body that proves the identity; null for a first password after a recent sign-in. */
type ProofMember = 'current_password' | 'code' | null;

function chooseProof({ password, second_factor: secondFactor }: SignInMethods): ProofMember {
  if (password) return 'current_password';
  return secondFactor ? 'code' : null;
}

const MISSING = { current_password: 'Enter your current password.', code: 'Enter a code.' } as const;

/** Changes the password and signs out every other device. */
export function PasswordSection({ methods }: { methods: SignInMethods }) {
  const form = usePasswordForm(chooseProof(methods));
  const { changing } = form;
  const hasPassword = methods.password;
  const fields = ['new_password', ...(form.member ? [form.member] : ['password'])];
  const error = findFormError(changing.error, ...fields.filter((name) => form.member || name !== 'password'));
  return (
    <SettingsSection
      title="Password"
      description={
        hasPassword
          ? 'Changing it signs out every other device.'
          : 'You sign in by the identity provider. With a password you can do without it.'
      }
    >
      <Form busy={changing.isPending} onSubmit={form.submit}>
        <Stack>
          <FormError error={error} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ProofInput form={form} />
            <NewPasswordField
              label="New password"
              email={form.email}
              value={form.chosen}
              onChange={form.setChosen}
              error={form.problems.chosen ?? findFieldError(changing.error, 'new_password')}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </Group>
        </Stack>
      </Form>
    </SettingsSection>
  );
}

function usePasswordForm(member: ProofMember) {
  const client = useQueryClient();
  const { email } = useAccount();
  const [proof, setProof] = useState('');
  const [chosen, setChosen] = useState('');
  const [problems, setProblems] = useState<{ proof?: string | null; chosen?: string | null }>({});
  const changing = useMutation({
    mutationFn: () =>
      request('POST /account/password', {
        body: { ...(member && { [member]: proof }), new_password: chosen },
      }),
    onSuccess: () => {
      setProof('');
      setChosen('');
      notifications.show({
        color: 'green',
        title: 'Password changed',
        message: 'Every other device was signed out.',
      });
      void client.invalidateQueries({ queryKey: devicesQuery.queryKey });
      void client.invalidateQueries({ queryKey: signInMethodsQuery.queryKey });
    },
  });
  const submit = () => {
    const found = {
      proof: member !== null && proof.trim() === '' ? MISSING[member] : null,
      chosen: validatePassword(chosen),
    };
    setProblems(found);
    if (!found.proof && !found.chosen) changing.mutate();
  };
  return { email, member, proof, setProof, chosen, setChosen, problems, changing, submit };
}

function ProofInput({ form }: { form: ReturnType<typeof usePasswordForm> }) {
  const { member, proof, setProof, problems, changing } = form;
  if (member === null) return null;
  const error = problems.proof ?? findFieldError(changing.error, member);
  if (member === 'code') {
    return (
      <TextInput
        label="Code of the app"
        autoComplete="one-time-code"
        value={proof}
        onChange={(event) => setProof(event.currentTarget.value)}
        error={error}
        aria-invalid={Boolean(error) || undefined}
      />
    );
  }
  return (
    <PasswordField
      label="Current password"
      autoComplete="current-password"
      value={proof}
      onChange={(event) => setProof(event.currentTarget.value)}
      error={error}
    />
  );
}
