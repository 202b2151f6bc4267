/** Sends the link that confirms the account's address again. */
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { request } from '../api/request.ts';
import { FormError } from './page-states.tsx';

/** Shows a button, and after the request where to find the link. The service sends at most three an hour. */
export function ResendVerification() {
  const mail = useQuery(sessionQuery).data?.mail;
  const sending = useMutation({ mutationFn: () => request('POST /account/email/resend', { body: {} }) });
  return (
    <>
      <FormError error={sending.error} />
      <Group gap="sm" mt="xs" role="status">
        {sending.isSuccess ? (
          <Text size="sm">
            {mail === false
              ? 'The link is in the service’s log, where the operator can find it.'
              : 'Sent. If nothing arrives within a few minutes, check your spam folder. We send at most three an hour.'}
          </Text>
        ) : (
          <Button
            size="xs"
            variant="default"
            loading={sending.isPending}
            onClick={() => sending.isPending || sending.mutate()}
          >
            {mail === false ? 'Write a new link to the log' : 'Send the link again'}
          </Button>
        )}
      </Group>
    </>
  );
}
