/** The drawer that creates an invitation link. */
import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminInvitesQuery } from '../../api/admin-queries.ts';
import { sessionQuery } from '../../api/queries.ts';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { DrawerBody, DrawerFooter, DrawerFormContent, SideDrawer } from '../../components/drawer-form.tsx';
import { Icon } from '../../components/icon.tsx';
import { HandedLink } from './handed-link.tsx';

/** Creates a link that one person can sign up with. */
export function InviteDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideDrawer title="Invite someone" opened={opened} onClose={onClose}>
      <InviteSteps onClose={onClose} />
    </SideDrawer>
  );
}

function InviteSteps({ onClose }: { onClose: () => void }) {
  const signups = useQuery(sessionQuery).data?.signups;
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const inviting = useMutation({
    mutationFn: () =>
      request('POST /account/admin/invites', {
        body: email.trim() === '' ? {} : { email: email.trim() },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: adminInvitesQuery.queryKey }),
  });
  if (inviting.data) {
    return (
      <>
        <DrawerBody>
          <Text size="sm">Hand this link over: it is not mailed, and shown only now.</Text>
          <HandedLink url={inviting.data.url} expiresAt={inviting.data.expires_at} />
        </DrawerBody>
        <DrawerFooter>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </DrawerFooter>
      </>
    );
  }
  const wrong = findFieldError(inviting.error, 'email');
  return (
    <DrawerFormContent
      action="Create link"
      busy={inviting.isPending}
      error={findFormError(inviting.error, 'email')}
      onSubmit={() => inviting.mutate()}
      onClose={onClose}
    >
      {signups === 'open' && (
        <Alert color="blue" icon={<Icon name="infoCircle" size={16} />} py="xs">
          <Text size="sm">Sign-ups are open: anyone can create an account without an invitation.</Text>
        </Alert>
      )}
      <TextInput
        label="Email address (optional)"
        description="The link works once. If you enter an address, only that address can use it."
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={wrong}
        aria-invalid={wrong !== undefined || undefined}
      />
    </DrawerFormContent>
  );
}
