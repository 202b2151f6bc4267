/** Creates the first admin with the one-time link from the service's log. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { setSignedIn } from '../../api/session.ts';
import { validateAddress, validatePassword } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { NewPasswordField } from '../../components/password-field.tsx';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { AuthResult, AuthForm, AuthLink } from './auth-form.tsx';

/** Shows the form of the setup link, or that the link is used. */
export function SetUpPage() {
  const { token } = useSearch({ from: '/auth/setup' });
  const session = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const creating = useMutation({
    mutationFn: (form: { email: string; password: string }) =>
      request('POST /account/setup', { body: { token: token ?? '', ...form } }),
    onSuccess: async ({ account }) => {
      setSignedIn(client, account);
      await navigate({ to: '/', replace: true });
    },
  });
  const linkError = findFieldError(creating.error, 'token');
  const isUsed = session.data?.setup_needed === false && creating.isIdle;
  if (token === undefined || linkError !== undefined || isUsed) {
    return (
      <AuthResult title="This link no longer works">
        <Text size="sm" role="alert">
          {linkError ??
            'The setup link works once, while the service has no admin. The newest one is in its log.'}
        </Text>
        <AuthLink to="/sign-in">Sign in</AuthLink>
      </AuthResult>
    );
  }
  const submit = () => {
    const found = { email: validateAddress(email), password: validatePassword(password) };
    setProblems(found);
    if (!found.email && !found.password) creating.mutate({ email: email.trim(), password });
  };
  return (
    <AuthForm
      title="Welcome"
      intro="Create the first account of this service. It becomes the admin."
      busy={creating.isPending}
      onSubmit={submit}
    >
      <FormError error={findFormError(creating.error, 'email', 'password')} />
      <EmailField
        value={email}
        onChange={setEmail}
        error={problems.email ?? findFieldError(creating.error, 'email')}
      />
      <NewPasswordField
        value={password}
        onChange={setPassword}
        error={problems.password ?? findFieldError(creating.error, 'password')}
      />
      <Button type="submit" fullWidth loading={creating.isPending}>
        Create admin account
      </Button>
    </AuthForm>
  );
}
