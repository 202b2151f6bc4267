/** Who is signed in, and the way out. */
import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { signOut, useAccount } from '../api/session.ts';
import { Icon } from './icon.tsx';
import { sentenceFor } from './page-states.tsx';

/** The account's menu at the top right. */
export function AccountMenu() {
  const account = useAccount();
  const client = useQueryClient();
  const leaving = useMutation({
    mutationFn: () => signOut(client),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not signed out', message: sentenceFor(error) }),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          loading={leaving.isPending}
          leftSection={<Icon name="user" />}
          rightSection={<Icon name="chevronDown" size={14} />}
          aria-label={`Account ${account.email}`}
          style={{ color: 'var(--mantine-color-text)' }}
        >
          <Text size="sm" maw={180} truncate visibleFrom="sm">
            {account.email}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{account.email}</Menu.Label>
        <Menu.Item
          leftSection={<Icon name="settings" size={16} />}
          renderRoot={(props) => <Link to="/settings" {...props} />}
        >
          Settings
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="gauge" size={16} />}
          renderRoot={(props) => <Link to="/plan" {...props} />}
        >
          Plan: {account.plan}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={() => leaving.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
