/** A confirmation before an action that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormError } from './page-states.tsx';

/** Runs `act` on confirmation. Closes on success and shows the error otherwise. */
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
  /** The label of the confirming button. */
  action: string;
  act: () => Promise<unknown>;
}) {
  const mutation = useMutation({ mutationFn: act, onSuccess: onClose });
  return (
    <Modal opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => mutation.reset()}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <FormError error={mutation.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
