/** Confirms an address with the link of an email. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, formatQuery, request, RequestError } from '../../api/request.ts';
import { AuthResult, AuthForm, AuthLink } from './auth-form.tsx';

/** Shows one button. Opening the link does nothing, because mail scanners open links too. */
export function VerifyEmailPage() {
  const { token } = useSearch({ from: '/auth/verify-email' });
  const client = useQueryClient();
  const account = useQuery(sessionQuery).data?.account;
  const confirming = useMutation({
    mutationFn: () => request('POST /account/email/verify', { body: { token: token ?? '' } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const linkError = findFieldError(confirming.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return (
      <AuthResult title="This link no longer works">
        <Text size="sm" role="alert">
          {linkError ?? 'The link is incomplete. Open it from the email again.'}
        </Text>
        <AuthLink to="/">Go to the dashboard</AuthLink>
      </AuthResult>
    );
  }
  if (confirming.isSuccess) {
    return (
      <AuthResult title="Your address is confirmed">
        <Text size="sm">Thank you. We can now reach you about your account.</Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the dashboard</Button>
      </AuthResult>
    );
  }
  if (confirming.error instanceof RequestError && confirming.error.status === 401)
    return <NotSignedIn message={confirming.error.message} token={token} email={account?.email} />;
  return (
    <AuthForm
      title="Confirm your address"
      intro="One click confirms that our emails reach you."
      busy={confirming.isPending}
      onSubmit={() => confirming.mutate()}
    >
      <FormError error={confirming.error} />
      <Button type="submit" fullWidth loading={confirming.isPending}>
        Confirm
      </Button>
    </AuthForm>
  );
}

/** Asks for a sign-in. The link is not enough: someone else may have signed up with this address. */
function NotSignedIn({
  message,
  token,
  email,
}: {
  message: string;
  token: string;
  email: string | undefined;
}) {
  const next = `/verify-email${formatQuery({ token })}`;
  return (
    <AuthResult title="Sign in to confirm">
      <Text size="sm" role="alert" style={{ overflowWrap: 'anywhere' }}>
        {message}
        {email !== undefined && ` You are signed in as ${email}. Sign out first.`}
      </Text>
      {email === undefined && (
        <Button renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>Sign in</Button>
      )}
      <AuthLink to="/forgot-password">Set a new password</AuthLink>
    </AuthResult>
  );
}
