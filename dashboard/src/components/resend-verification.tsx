/** Asking once more for the link that confirms the account's address. */
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { request } from '../api/request.ts';
import { FormError } from './page-states.tsx';

/** A button, then where the link is. The service sends three an hour at most, and answers alike past them. */
export function ResendVerification() {
  const mail = useQuery(sessionQuery).data?.mail;
  const asking = useMutation({ mutationFn: () => request('POST', '/account/email/resend', { body: {} }) });
  return (
    <>
      <FormError error={asking.error} />
      <Group gap="sm" mt="xs" role="status">
        {asking.isSuccess ? (
          <Text size="sm">
            {mail === false
              ? 'Done: the link is in the service’s log, where its operator finds it.'
              : 'Sent again. If nothing arrives within a few minutes, look among the spam; there are at most three an hour.'}
          </Text>
        ) : (
          <Button
            size="xs"
            variant="default"
            loading={asking.isPending}
            onClick={() => asking.isPending || asking.mutate()}
          >
            Send the link again
          </Button>
        )}
      </Group>
    </>
  );
}
