/** Making the first admin by the one-time link of the service's log. */
import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { keepSignedIn } from '../../api/session.ts';
import type { Account } from '../../api/types.ts';
import { FormError } from '../../components/page-states.tsx';
import { fieldError, otherError } from '../../components/field-errors.ts';
import { AuthDone, AuthForm, AuthLink } from './auth-form.tsx';
import { emailProblem, NewPasswordInput, passwordProblem } from './new-password-input.tsx';

/** The form of the set-up link; it says so when the link is spent. */
export function SetUpPage() {
  const { token } = useSearch({ from: '/auth/setup' });
  const session = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const making = useMutation({
    mutationFn: (form: { email: string; password: string }) =>
      request<{ account: Account }>('POST', '/account/setup', { body: { token, ...form } }),
    onSuccess: async ({ account }) => {
      keepSignedIn(client, account);
      await navigate({ to: '/', replace: true });
    },
  });
  const linkError = fieldError(making.error, 'token');
  const spent = session.data?.setup_needed === false && making.isIdle;
  if (token === undefined || linkError !== undefined || spent) {
    return (
      <AuthDone title="This link no longer works">
        <Text size="sm" role="alert">
          {linkError ??
            'The set-up link works once, while the service has no admin. The newest one is in its log.'}
        </Text>
        <AuthLink to="/sign-in">Sign in</AuthLink>
      </AuthDone>
    );
  }
  const submit = () => {
    const found = { email: emailProblem(email), password: passwordProblem(password) };
    setProblems(found);
    if (!found.email && !found.password && !making.isPending)
      making.mutate({ email: email.trim(), password });
  };
  return (
    <AuthForm
      title="Welcome"
      intro="Make the first account of this service. It becomes its admin."
      busy={making.isPending}
      onSubmit={submit}
    >
      <FormError error={otherError(making.error, 'email', 'password')} />
      <TextInput
        label="E-mail address"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={problems.email ?? fieldError(making.error, 'email')}
      />
      <NewPasswordInput
        value={password}
        onChange={setPassword}
        error={problems.password ?? fieldError(making.error, 'password')}
      />
      <Button type="submit" fullWidth loading={making.isPending}>
        Create the admin account
      </Button>
    </AuthForm>
  );
}
