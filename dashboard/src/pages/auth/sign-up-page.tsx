/** The sign-up page. */
import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { request, RequestError } from '../../api/request.ts';
import { PageLoading, QueryState } from '../../components/page-states.tsx';
import { AuthLink, AuthResult, useSignIn } from './auth-form.tsx';
import { NewAccountForm } from './new-account-form.tsx';
import { ProviderButton } from './provider-button.tsx';

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
        <Text size="sm">You can sign up only with the invitation link that an administrator sent you.</Text>
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
  const { email } = useSearch({ from: '/auth/sign-up' });
  const signIn = useSignIn(undefined);
  const signUp = useMutation({
    mutationFn: async (account: { email: string; password: string }) => {
      await request('POST /account/sign-up', {
        body: { ...account, ...(invite !== undefined && { invite }) },
      });
      await signIn.mutateAsync(account).catch((error: unknown) => {
        if (error instanceof RequestError && error.status === 401) {
          throw new RequestError(NOT_SIGNED_IN, { status: 401, code: 'unauthorized' });
        }
        throw error;
      });
    },
  });
  if (signedIn && signUp.isIdle) return <Navigate to="/" replace />;
  return (
    <NewAccountForm
      title="Create your account"
      intro="Your first API call is a minute away."
      action="Create account"
      initialEmail={email}
      above={<ProviderButton invite={invite} />}
      busy={signUp.isPending}
      error={signUp.error}
      onSubmit={(account) => signUp.mutate(account)}
    >
      <Text size="sm">
        Already have an account? <AuthLink to="/sign-in">Sign in</AuthLink>
      </Text>
    </NewAccountForm>
  );
}
