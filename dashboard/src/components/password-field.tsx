/** A password, hidden until its owner wants to see it. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Mantine's field with what it leaves out: the button is reached by keyboard, and a wrong value is told to screen readers. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      aria-invalid={Boolean(props.error) || undefined}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
      {...props}
    />
  );
}
