/** The menu of the signed-in account. */
import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { signOut, useAccount } from '../api/session.ts';
import { Icon } from './icon.tsx';
import { getErrorMessage } from './page-states.tsx';

/** Shows the email address, with links to settings and plan, and Sign out. */
export function AccountMenu() {
  const account = useAccount();
  const client = useQueryClient();
  const signingOut = useMutation({
    mutationFn: () => signOut(client),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not sign out', message: getErrorMessage(error) }),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          loading={signingOut.isPending}
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
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={() => signingOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
