/** A drawer that ends with the secret of a key. */
import { type ReactNode, useState } from 'react';
import { SideDrawer } from '../../components/drawer-form.tsx';

/**
 * Shows a form that calls `onShown` when it shows the secret. From then on only a button closes the drawer,
 * and closing it removes the secret from the page.
 */
export function SecretDrawer({
  opened,
  onClose,
  title,
  children,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: (onShown: () => void) => ReactNode;
}) {
  const [shown, setShown] = useState(false);
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      onClosed={() => setShown(false)}
      title={shown ? 'Key created' : title}
      locked={shown}
    >
      {children(() => setShown(true))}
    </SideDrawer>
  );
}
