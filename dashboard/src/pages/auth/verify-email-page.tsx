/** Confirming an address by the link of a mail. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { queryString, request, RequestError } from '../../api/request.ts';
import { FormError } from '../../components/page-states.tsx';
import { fieldError } from '../../components/field-errors.ts';
import { AuthDone, AuthForm, AuthLink } from './auth-form.tsx';

/** One button: a link that acted by being opened would also act for a mail scanner. */
export function VerifyEmailPage() {
  const { token } = useSearch({ from: '/auth/verify-email' });
  const client = useQueryClient();
  const account = useQuery(sessionQuery).data?.account;
  const confirming = useMutation({
    mutationFn: () => request('POST', '/account/email/verify', { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const linkError = fieldError(confirming.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return (
      <AuthDone title="This link no longer works">
        <Text size="sm" role="alert">
          {linkError ?? 'The link is incomplete: open it from the email again.'}
        </Text>
        <AuthLink to="/">Go to the dashboard</AuthLink>
      </AuthDone>
    );
  }
  if (confirming.isSuccess) {
    return (
      <AuthDone title="Your address is confirmed">
        <Text size="sm">Thank you. Emails about your account reach you.</Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Go to the dashboard</Button>
      </AuthDone>
    );
  }
  if (confirming.error instanceof RequestError && confirming.error.status === 401)
    return <NotSignedIn sentence={confirming.error.message} token={token} email={account?.email} />;
  return (
    <AuthForm
      title="Confirm your address"
      intro="One click, and we know that mail to you arrives."
      busy={confirming.isPending}
      onSubmit={() => !confirming.isPending && confirming.mutate()}
    >
      <FormError error={confirming.error} />
      <Button type="submit" fullWidth loading={confirming.isPending}>
        Confirm
      </Button>
    </AuthForm>
  );
}

/** The link alone is not enough: a stranger may have signed up with the address that it was sent to. */
function NotSignedIn({
  sentence,
  token,
  email,
}: {
  sentence: string;
  token: string;
  email: string | undefined;
}) {
  const next = `/verify-email${queryString({ token })}`;
  return (
    <AuthDone title="Sign in to confirm">
      <Text size="sm" role="alert" style={{ overflowWrap: 'anywhere' }}>
        {sentence}
        {email !== undefined && ` You are signed in as ${email}: sign out there first.`}
      </Text>
      {email === undefined && (
        <Button renderRoot={(props) => <Link to="/sign-in" search={{ next }} {...props} />}>Sign in</Button>
      )}
      <AuthLink to="/forgot-password">Set a new password</AuthLink>
    </AuthDone>
  );
}
