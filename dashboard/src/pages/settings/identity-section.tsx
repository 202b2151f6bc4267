/** Sign-in by the operator's identity provider (OpenID Connect): link and unlink. */
import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { oidcRefusalQuery, sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { useAccount } from '../../api/session.ts';
import { type SignInMethods, signInMethodsQuery } from '../../api/sign-in-queries.ts';
import { formatDay } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { Tag } from '../../components/state.tsx';
import { ProofModal } from './proof.tsx';
import { Item, Items, SettingsSection } from './settings-section.tsx';

/** Shows the link to the provider. Nothing if the service has none and the account is linked to none. */
export function IdentitySection({ methods }: { methods: SignInMethods }) {
  const provider = useQuery(sessionQuery).data?.oidc;
  const { refused } = useSearch({ from: '/frame/settings' });
  const client = useQueryClient();
  const [unlinking, setUnlinking] = useState(false);
  const linkedAt = methods.identity_linked_at;
  if (!provider && linkedAt === null) return null;
  return (
    <SettingsSection title="Single sign-on" description="OpenID Connect, set up by the operator.">
      <Refusal code={refused} />
      <Items>
        <Item
          icon="world"
          name={provider?.name ?? 'Identity provider'}
          tag={linkedAt !== null && <Tag meaning="ok">Connected</Tag>}
          note={linkedAt === null ? <ConnectNote /> : `Connected on ${formatDay(linkedAt)}`}
        >
          {linkedAt !== null && (
            <Button variant="default" onClick={() => setUnlinking(true)}>
              Disconnect
            </Button>
          )}
          {linkedAt === null && provider && <ConnectButton />}
        </Item>
      </Items>
      <ProofModal
        opened={unlinking}
        onClose={() => setUnlinking(false)}
        title="Disconnect the identity provider?"
        action="Disconnect"
        isDangerous
        methods={methods}
        onConfirm={async (proof) => {
          await request('DELETE /account/oidc', { body: proof });
          await client.invalidateQueries({ queryKey: signInMethodsQuery.queryKey });
        }}
      >
        {methods.password
          ? 'From then on you sign in with your password. A later sign-in at the provider with the same address connects it again.'
          : 'Your account has no password. Set one first, or you could not sign in any more.'}
      </ProofModal>
    </SettingsSection>
  );
}

function ConnectNote() {
  const { email } = useAccount();
  return `Sign in there with ${email}.`;
}

function ConnectButton() {
  const starting = useMutation({
    mutationFn: () => request('POST /account/oidc/start', { body: {} }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <>
      <FormError error={starting.error} />
      <Button
        variant="default"
        loading={starting.isPending || starting.isSuccess}
        onClick={() => starting.mutate()}
      >
        Connect
      </Button>
    </>
  );
}

function Refusal({ code }: { code: string | undefined }) {
  const message = useQuery(oidcRefusalQuery(code)).data?.message;
  if (message === undefined) return null;
  return (
    <Alert color="orange" icon={<Icon name="alertTriangle" size={16} />} role="alert" mb="sm">
      <Text size="sm">{message}</Text>
    </Alert>
  );
}
