/** The settings of the account: address, theme, password, devices, deletion. */
import { Badge, Button, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ResendVerification } from '../../components/resend-verification.tsx';
import { Section } from '../../components/section.tsx';
import { formatDay } from '../../components/format.ts';
import { DeleteAccountModal } from './delete-account-modal.tsx';
import { DevicesSection } from './devices-section.tsx';
import { PasswordSection } from './password-section.tsx';

/** Shows the settings, one section each. */
export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <Stack gap="lg">
        <AccountSection />
        <ThemeSection />
        <PasswordSection />
        <DevicesSection />
        <DeletionSection />
      </Stack>
    </>
  );
}

function AccountSection() {
  const account = useAccount();
  return (
    <Section title="Account">
      <Group gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {account.email}
        </Text>
        {account.email_verified ? (
          <Badge color="green">Confirmed</Badge>
        ) : (
          <Badge color="orange">Not confirmed</Badge>
        )}
        {account.admin && <Badge color="gray">Admin</Badge>}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Created {formatDay(account.created_at)}. Plan: {account.plan}.
      </Text>
      {!account.email_verified && <Unconfirmed />}
    </Section>
  );
}

function Unconfirmed() {
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

function ThemeSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Theme" description="Saved in this browser.">
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
      />
    </Section>
  );
}

function DeletionSection() {
  const [opened, setOpened] = useState(false);
  return (
    <Section
      title="Delete account"
      description="Its keys stop working immediately, and its personal data is deleted."
    >
      <Button color="red" variant="light" onClick={() => setOpened(true)}>
        Delete my account
      </Button>
      <DeleteAccountModal opened={opened} onClose={() => setOpened(false)} />
    </Section>
  );
}
