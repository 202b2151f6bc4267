/** Confirming an address by the link of a mail. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/page-states.tsx';
import { fieldError } from '../../components/field-errors.ts';
import { AuthDone, AuthForm, AuthLink } from './auth-form.tsx';

/** One button: a link that acted by being opened would also act for a mail scanner. */
export function VerifyEmailPage() {
  const { token } = useSearch({ from: '/auth/verify-email' });
  const client = useQueryClient();
  const signedIn = useQuery(sessionQuery).data?.account != null;
  const confirming = useMutation({
    mutationFn: () => request('POST', '/account/email/verify', { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const linkError = fieldError(confirming.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return (
      <AuthDone title="This link no longer works">
        <Text size="sm" role="alert">
          {linkError ?? 'The link is not whole: open it from the mail once more.'}
        </Text>
        <AuthLink to="/">Go to the dashboard</AuthLink>
      </AuthDone>
    );
  }
  if (confirming.isSuccess) {
    return (
      <AuthDone title="Your address is confirmed">
        <Text size="sm">Thank you. Mails about your account reach you from now on.</Text>
        <Button renderRoot={(props) => <Link to={signedIn ? '/' : '/sign-in'} {...props} />}>
          {signedIn ? 'Go to the dashboard' : 'Sign in'}
        </Button>
      </AuthDone>
    );
  }
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
