/** The account itself: address, password, devices, theme, deletion. */
import { Badge, Button, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ResendVerification } from '../../components/resend-verification.tsx';
import { Section } from '../../components/section.tsx';
import { formatDay } from '../../components/times.tsx';
import { DeleteAccountModal } from './delete-account-modal.tsx';
import { DevicesSection } from './devices-section.tsx';
import { PasswordSection } from './password-section.tsx';

/** The page. */
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
        {account.email_verified && (
          <Badge variant="light" color="green" tt="none" radius="sm">
            Confirmed
          </Badge>
        )}
        {!account.email_verified && (
          <Badge variant="light" color="orange" tt="none" radius="sm">
            Not confirmed
          </Badge>
        )}
        {account.admin && (
          <Badge variant="light" color="grape" tt="none" radius="sm">
            Admin
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Since {formatDay(account.created_at)}, on the {account.plan} plan.
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
          ? 'This service sends no mail: the link that confirms the address is in its log. Everything works without it.'
          : 'The link in the mail that we sent you confirms the address. Everything works meanwhile.'}
      </Text>
      <ResendVerification />
    </>
  );
}

function ThemeSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Theme" description="Kept in this browser.">
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'As the system' },
        ]}
      />
    </Section>
  );
}

function DeletionSection() {
  const [opened, setOpened] = useState(false);
  return (
    <Section
      title="Delete the account"
      description="Its keys stop working at once, and its personal data is gone."
    >
      <Button color="red" variant="light" onClick={() => setOpened(true)}>
        Delete my account
      </Button>
      <DeleteAccountModal opened={opened} onClose={() => setOpened(false)} />
    </Section>
  );
}
