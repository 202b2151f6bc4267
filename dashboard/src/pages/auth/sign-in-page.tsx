/** The sign-in page. */
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { validateAddress } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { FormError, PageLoading } from '../../components/page-states.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import classes from './auth-form.module.css';
import { AuthForm, AuthLink, useSignIn } from './auth-form.tsx';
import { ProviderButton, RefusalNote } from './provider-button.tsx';

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

/** Shows the sign-in form, or opens the overview if there is a session. */
export function SignInPage() {
  const { next, reason, step, refused } = useSearch({ from: '/auth/sign-in' });
  const session = useQuery(sessionQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const signIn = useSignIn(next);
  if (session.data?.account && signIn.isIdle) {
    // The account is signed in and wanted to connect the provider.
    if (refused !== undefined) return <Navigate to="/settings" search={{ refused }} replace />;
    return <Navigate to="/" replace />;
  }
  if (step === 'second-factor') {
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep next={next} />
      </Suspense>
    );
  }
  const submit = () => {
    const found = {
      email: validateAddress(email),
      password: password === '' ? 'Enter your password.' : null,
    };
    setProblems(found);
    if (!found.email && !found.password) signIn.mutate({ email: email.trim(), password });
  };
  return (
    <AuthForm title="Sign in" intro={`to ${window.location.host}`} busy={signIn.isPending} onSubmit={submit}>
      <SignInReason reason={reason} />
      <RefusalNote code={refused} />
      <ProviderButton />
      <FormError error={signIn.error} />
      <EmailField value={email} onChange={setEmail} error={problems.email} />
      <div className={classes.password}>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={problems.password}
        />
        <Link to="/forgot-password" className={classes.forgot}>
          Forgot it?
        </Link>
      </div>
      <Button type="submit" fullWidth loading={signIn.isPending}>
        Sign in
      </Button>
      {session.data?.signups !== 'closed' && (
        <p className={classes.aside}>
          No account? <AuthLink to="/sign-up">Create one</AuthLink>
        </p>
      )}
    </AuthForm>
  );
}

const REASONS: Record<string, string> = {
  ended: 'Your session has ended. Sign in again to continue where you left off.',
  password: 'Your password was changed. Sign in with the new one.',
  deleted: 'Your account was deleted. Its keys no longer work.',
  verified: 'Your email address is confirmed. Sign in to continue.',
};

function SignInReason({ reason }: { reason: string | undefined }) {
  const message = reason === undefined ? undefined : REASONS[reason];
  if (message === undefined) return null;
  return (
    <Alert color={reason === 'ended' ? 'orange' : 'green'} icon={<Icon name="infoCircle" />} role="status">
      <Text size="sm">{message}</Text>
    </Alert>
  );
}
