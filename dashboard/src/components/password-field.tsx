/** Fields for passwords. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { PasswordMeter } from './password-meter.tsx';

/**
 * Shows Mantine's field, and adds what it lacks: a focusable visibility button, and aria-invalid on errors.
 */
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

/** Shows a field for a new password of the account with this address, with a meter of its strength. */
export function NewPasswordField({
  label = 'Password',
  value,
  email = '',
  onChange,
  error,
}: {
  label?: string;
  value: string;
  /** A password that contains it is easy to guess. */
  email?: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}) {
  const [focused, setFocused] = useState(false);
  return (
    <PasswordField
      label={label}
      inputWrapperOrder={['label', 'input', 'error']}
      inputContainer={(input) => (
        <>
          {input}
          <PasswordMeter password={value} email={email} wanted={focused} />
        </>
      )}
      value={value}
      onFocus={() => setFocused(true)}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete="new-password"
      required
      withAsterisk={false}
    />
  );
}
