/** The menu of the signed-in account. */
import { Menu, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { signOut, useAccount } from '../api/session.ts';
import classes from './account-menu.module.css';
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
    // Fixed: the navigation scrolls, and would cut the menu off.
    <Menu position="top-start" width={216} floatingStrategy="fixed">
      <Menu.Target>
        <button type="button" className={`focus ${classes.who ?? ''}`} disabled={signingOut.isPending}>
          <span className={classes.avatar} aria-hidden="true">
            {account.email[0]}
          </span>
          <span className={classes.name}>
            <VisuallyHidden>Account </VisuallyHidden>
            <b>{account.email}</b>
            <span>{account.plan} plan</span>
          </span>
        </button>
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
