/** A confirmation before an action that cannot be undone. */
import { Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DialogForm } from './dialog-form.tsx';
import { FormError } from './page-states.tsx';

/** Calls `onConfirm` on confirmation. Closes on success and shows the error otherwise. */
export function ConfirmModal({
  opened,
  onClose,
  title,
  children,
  action,
  onConfirm,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The label of the confirming button. */
  action: string;
  onConfirm: () => Promise<unknown>;
}) {
  const mutation = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Modal opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => mutation.reset()}>
      <DialogForm
        action={action}
        color="red"
        busy={mutation.isPending}
        focusCancel
        onSubmit={() => mutation.mutate()}
        onCancel={onClose}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
        <FormError error={mutation.error} />
      </DialogForm>
    </Modal>
  );
}
