/** Creates the first administrator with the one-time link from the service's log. */
import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.ts';
import { findFieldError, request } from '../../api/request.ts';
import { setSignedIn } from '../../api/session.ts';
import { AuthLink, AuthResult } from './auth-form.tsx';
import { NewAccountForm } from './new-account-form.tsx';

/** Shows the form of the set-up link, or that the link is used. */
export function SetUpPage() {
  const { token } = useSearch({ from: '/auth/setup' });
  const session = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useMutation({
    mutationFn: (account: { email: string; password: string }) =>
      request('POST /account/setup', { body: { token: token ?? '', ...account } }),
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
            (isUsed
              ? 'This service has an administrator: the set-up link works once.'
              : 'The link has no token: open the whole link of the log, or get one with accounts setup-link.')}
        </Text>
        <AuthLink to="/sign-in">Sign in</AuthLink>
      </AuthResult>
    );
  }
  return (
    <NewAccountForm
      title="Welcome"
      intro="Create the first account of this service. It becomes the administrator."
      action="Create administrator"
      busy={creating.isPending}
      error={creating.error}
      onSubmit={(account) => creating.mutate(account)}
    />
  );
}
