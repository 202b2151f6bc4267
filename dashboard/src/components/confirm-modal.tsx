/** A question before something that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormError } from './page-states.tsx';

/** Asks, acts, shows why it failed, closes when it is done. */
export function ConfirmModal({
  opened,
  onClose,
  title,
  children,
  action,
  act,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The words on the button that does it. */
  action: string;
  act: () => Promise<unknown>;
}) {
  const acting = useMutation({ mutationFn: act, onSuccess: onClose });
  return (
    <Modal opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => acting.reset()}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <FormError error={acting.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={acting.isPending} onClick={() => acting.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
