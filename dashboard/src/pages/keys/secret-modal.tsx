/** A dialog that ends with the secret of a key. */
import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/**
 * Shows a form that calls `onShown` when it shows the secret. From then on only a button closes the dialog,
 * and closing it removes the secret from the page.
 */
export function SecretModal({
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
    <Modal
      opened={opened}
      onClose={onClose}
      title={shown ? 'Your new key' : title}
      size="lg"
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      keepMounted={false}
      onExitTransitionEnd={() => setShown(false)}
    >
      {children(() => setShown(true))}
    </Modal>
  );
}
