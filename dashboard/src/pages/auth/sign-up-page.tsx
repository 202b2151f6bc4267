/** Making an account: an address, a password, and straight on to the first key. */
import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { RequestError, request } from '../../api/request.ts';
import { FormError, LoadError, PageLoading } from '../../components/page-states.tsx';
import { fieldError, otherError } from '../../components/field-errors.ts';
import { AuthDone, AuthForm, AuthLink, useSignIn } from './auth-form.tsx';
import { emailProblem, NewPasswordInput, passwordProblem } from './new-password-input.tsx';

/** The sign-up form, or why there is none. */
export function SignUpPage() {
  const { invite } = useSearch({ from: '/auth/sign-up' });
  const session = useQuery(sessionQuery);
  if (session.data === undefined) {
    return session.isError ? (
      <LoadError error={session.error} retry={() => void session.refetch()} />
    ) : (
      <PageLoading />
    );
  }
  if (session.data.signups === 'closed') {
    return (
      <AuthDone title="Sign-ups are closed">
        <Text size="sm">This service takes no new accounts. Ask its operator for one.</Text>
        <AuthLink to="/sign-in">Sign in instead</AuthLink>
      </AuthDone>
    );
  }
  if (session.data.signups === 'invite' && invite === undefined) {
    return (
      <AuthDone title="You need an invitation">
        <Text size="sm">Accounts here are by invitation: open the link that an admin sent you.</Text>
        <AuthLink to="/sign-in">Sign in instead</AuthLink>
      </AuthDone>
    );
  }
  return <SignUpForm invite={invite} signedIn={session.data.account !== null} />;
}

// The service answers a new and a taken address alike, so that nobody learns who has an account. Signing in tells the owner.
const NOT_SIGNED_IN =
  'This address and password do not sign you in. If you already have an account, sign in with its own password, or reset it.';

function SignUpForm({ invite, signedIn }: { invite: string | undefined; signedIn: boolean }) {
  const given = useSearch({ from: '/auth/sign-up' }).email;
  const [email, setEmail] = useState(given ?? '');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const signIn = useSignIn(undefined);
  const signUp = useMutation({
    mutationFn: async (form: { email: string; password: string; invite?: string }) => {
      await request('POST', '/account/sign-up', { body: form });
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
    const found = { email: emailProblem(email), password: passwordProblem(password) };
    setProblems(found);
    if (found.email || found.password || signUp.isPending) return;
    signUp.mutate({ email: email.trim(), password, ...(invite !== undefined && { invite }) });
  };
  return (
    <AuthForm
      title="Create your account"
      intro="An address and a password: your first call is a minute away."
      busy={signUp.isPending}
      onSubmit={submit}
    >
      <FormError error={otherError(signUp.error, 'email', 'password')} />
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={problems.email ?? fieldError(signUp.error, 'email')}
      />
      <NewPasswordInput
        value={password}
        onChange={setPassword}
        error={problems.password ?? fieldError(signUp.error, 'password')}
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
