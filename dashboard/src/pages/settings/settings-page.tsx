/** The settings of the account: address, theme, how it is signed in to, sessions, data, deletion. */
import { Button, List, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { clearSession, useAccount } from '../../api/session.ts';
import { type SignInMethods, signInMethodsQuery } from '../../api/sign-in-queries.ts';
import { formatDay } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { ResendVerification } from '../../components/resend-verification.tsx';
import { Tag } from '../../components/state.tsx';
import { DataSection } from './data-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProofModal } from './proof.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { Item, Items, SettingsSection } from './settings-section.tsx';
import { ThemeChoice } from './theme-choice.tsx';

/** Shows the settings, one section each; what cannot be undone is last. */
export function SettingsPage() {
  const account = useAccount();
  const methods = useQuery(signInMethodsQuery);
  return (
    <>
      <PageHeader
        title="Settings"
        description={`${account.email}, member since ${formatDay(account.created_at)}`}
      />
      <AddressSection />
      <SettingsSection title="Appearance" description="Kept in this browser.">
        <ThemeChoice />
      </SettingsSection>
      {methods.data ? (
        <>
          <PasswordSection methods={methods.data} />
          <SecondFactorSection methods={methods.data} />
          <IdentitySection methods={methods.data} />
        </>
      ) : (
        <SettingsSection title="Sign-in">
          <QueryState query={methods}>
            <RowsLoading rows={4} />
          </QueryState>
        </SettingsSection>
      )}
      <SessionsSection />
      <DataSection />
      {methods.data && <DangerSection methods={methods.data} />}
    </>
  );
}

function AddressSection() {
  const account = useAccount();
  const isVerified = account.email_verified;
  return (
    <SettingsSection title="Email address" description="For sign-in and for notices about your account.">
      <Items>
        <Item
          name={account.email}
          tag={
            <>
              {isVerified ? <Tag meaning="ok">Verified</Tag> : <Tag meaning="warn">Unverified</Tag>}
              {account.admin && <Tag>Administrator</Tag>}
            </>
          }
        />
      </Items>
      {!isVerified && <Unverified />}
    </SettingsSection>
  );
}

function Unverified() {
  const mail = useQuery(sessionQuery).data?.mail;
  return (
    <>
      <Text size="sm" mt="sm">
        {mail === false
          ? 'This service sends no email. The link that confirms the address is in its log. Everything works without it.'
          : 'Confirm your address with the link that we emailed you. Everything works in the meantime.'}
      </Text>
      <ResendVerification />
    </>
  );
}

function DangerSection({ methods }: { methods: SignInMethods }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  return (
    <SettingsSection title="Danger zone">
      <Items>
        <Item
          name="Delete account"
          note="Keys stop working, personal data is deleted. This cannot be undone."
        >
          <Button variant="default" color="red" onClick={() => setOpened(true)}>
            Delete account
          </Button>
        </Item>
      </Items>
      <ProofModal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Delete the account?"
        action="Delete everything"
        isDangerous
        methods={methods}
        only={methods.password ? 'password' : undefined}
        onConfirm={async (proof) => {
          await request('DELETE /account', { body: proof });
          clearSession(client, 'deleted');
        }}
      >
        This cannot be undone:
        <List size="sm" mt="xs">
          <List.Item>All your keys stop working immediately.</List.Item>
          <List.Item>Your address, sessions, usage and request log are deleted.</List.Item>
        </List>
      </ProofModal>
    </SettingsSection>
  );
}
