/** The form of a dialog. */
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from './form.tsx';

/** Shows the fields with Cancel and a button that submits the form. */
export function DialogForm({
  action,
  color,
  busy,
  disabled = false,
  focusCancel = false,
  onSubmit,
  onCancel,
  children,
}: {
  /** The label of the submitting button. */
  action: string;
  color?: 'red';
  busy: boolean;
  disabled?: boolean;
  /** Focuses Cancel when the dialog opens. */
  focusCancel?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <Form busy={busy} onSubmit={onSubmit}>
      <Stack>
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} data-autofocus={focusCancel || undefined}>
            Cancel
          </Button>
          <Button type="submit" color={color} loading={busy} disabled={disabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
