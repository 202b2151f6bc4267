/** The form that creates invitation links. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { SecretText } from '../../components/secret-text.tsx';
import { Section } from '../../components/section.tsx';
import { formatExact } from '../../components/format.ts';

/** Creates a link that one person can sign up with. */
export function InvitesTab() {
  const session = useQuery(sessionQuery).data;
  const [email, setEmail] = useState('');
  const inviting = useMutation({
    mutationFn: () =>
      request('POST /account/admin/invites', {
        body: email.trim() === '' ? {} : { email: email.trim() },
      }),
  });
  return (
    <Section
      title="Invite someone"
      description="The link works once. If you enter an address, only that address can use it."
    >
      <Stack gap="md">
        {session?.signups === 'open' && (
          <Alert color="blue" icon={<Icon name="infoCircle" />} py="xs">
            <Text size="sm">Sign-ups are open: anyone can create an account without an invitation.</Text>
          </Alert>
        )}
        <Form busy={inviting.isPending} onSubmit={() => inviting.mutate()}>
          <Stack gap="sm">
            <FormError error={findFormError(inviting.error, 'email')} />
            <Group align="flex-end" gap="xs">
              <TextInput
                label="Email address (optional)"
                type="email"
                autoComplete="off"
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                error={findFieldError(inviting.error, 'email')}
                style={{ flex: '1 1 240px', maxWidth: 360 }}
              />
              <Button
                type="submit"
                loading={inviting.isPending}
                leftSection={<Icon name="ticket" size={16} />}
              >
                Create link
              </Button>
            </Group>
          </Stack>
        </Form>
        {inviting.data && <InvitationLink url={inviting.data.url} expiresAt={inviting.data.expires_at} />}
      </Stack>
    </Section>
  );
}

function InvitationLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  return (
    <Stack gap="xs" align="stretch" role="status">
      <SecretText>{url}</SecretText>
      <Group gap="sm">
        <CopyButton text={url} label="Copy link" />
        <Text size="sm" c="dimmed">
          Expires {formatExact(expiresAt)}.
        </Text>
      </Group>
    </Stack>
  );
}
