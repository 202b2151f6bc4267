/** The sign-up page. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { validateAddress, validatePassword } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { NewPasswordField } from '../../components/password-field.tsx';
import { FormError, PageLoading, QueryState } from '../../components/page-states.tsx';
import { findFieldError, findFormError, request, RequestError } from '../../api/request.ts';
import { AuthResult, AuthForm, AuthLink, useSignIn } from './auth-form.tsx';

/** Shows the sign-up form, or why sign-ups are not possible. */
export function SignUpPage() {
  const { invite } = useSearch({ from: '/auth/sign-up' });
  const session = useQuery(sessionQuery);
  if (session.data === undefined) {
    return (
      <QueryState query={session}>
        <PageLoading />
      </QueryState>
    );
  }
  if (session.data.signups === 'closed') {
    return (
      <AuthResult title="Sign-ups are closed">
        <Text size="sm">This service does not accept new accounts. Ask its operator for one.</Text>
        <AuthLink to="/sign-in">Sign in instead</AuthLink>
      </AuthResult>
    );
  }
  if (session.data.signups === 'invite' && invite === undefined) {
    return (
      <AuthResult title="You need an invitation">
        <Text size="sm">You can sign up only with the invitation link that an admin sent you.</Text>
        <AuthLink to="/sign-in">Sign in instead</AuthLink>
      </AuthResult>
    );
  }
  return <SignUpForm invite={invite} signedIn={session.data.account !== null} />;
}

// The service responds alike to new and existing addresses, so that accounts cannot be enumerated.
const NOT_SIGNED_IN =
  'You could not be signed in with this address and password. If you already have an account, sign in with its password or reset it.';

function SignUpForm({ invite, signedIn }: { invite: string | undefined; signedIn: boolean }) {
  const given = useSearch({ from: '/auth/sign-up' }).email;
  const [email, setEmail] = useState(given ?? '');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const signIn = useSignIn(undefined);
  const signUp = useMutation({
    mutationFn: async (form: { email: string; password: string; invite?: string }) => {
      await request('POST /account/sign-up', { body: form });
      await signIn.mutateAsync({ email: form.email, password: form.password }).catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 401) {
          throw new RequestError(NOT_SIGNED_IN, { status: 401, code: 'unauthorized' });
        }
        throw error;
      });
    },
  });
  if (signedIn && signUp.isIdle) return <Navigate to="/" replace />;
  const submit = () => {
    const found = { email: validateAddress(email), password: validatePassword(password) };
    setProblems(found);
    if (found.email || found.password) return;
    signUp.mutate({ email: email.trim(), password, ...(invite !== undefined && { invite }) });
  };
  return (
    <AuthForm
      title="Create your account"
      intro="Your first API call is a minute away."
      busy={signUp.isPending}
      onSubmit={submit}
    >
      <FormError error={findFormError(signUp.error, 'email', 'password')} />
      <EmailField
        value={email}
        onChange={setEmail}
        error={problems.email ?? findFieldError(signUp.error, 'email')}
      />
      <NewPasswordField
        value={password}
        onChange={setPassword}
        error={problems.password ?? findFieldError(signUp.error, 'password')}
      />
      <Button type="submit" fullWidth loading={signUp.isPending}>
        Create account
      </Button>
      <Text size="sm">
        Already have an account? <AuthLink to="/sign-in">Sign in</AuthLink>
      </Text>
    </AuthForm>
  );
}
