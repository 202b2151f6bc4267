/** Fields for passwords. */
import { PasswordInput, type PasswordInputProps, Progress } from '@mantine/core';
import { countCharacters, MIN_PASSWORD_CHARACTERS } from './credentials.ts';

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

/** Shows a field for a new password, with a bar that fills up to the minimum length. */
export function NewPasswordField({
  label = 'Password',
  value,
  onChange,
  error,
}: {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}) {
  const length = countCharacters(value);
  const isLongEnough = length >= MIN_PASSWORD_CHARACTERS;
  const bar = (
    <Progress
      value={Math.min(100, (length / MIN_PASSWORD_CHARACTERS) * 100)}
      color={isLongEnough ? 'green' : 'orange'}
      size={4}
      mt={6}
      aria-hidden="true"
    />
  );
  return (
    <PasswordField
      label={label}
      description={`${isLongEnough ? 'Long enough.' : `At least ${MIN_PASSWORD_CHARACTERS} characters.`} A few unrelated words make a good password.`}
      descriptionProps={{ mt: 6 }}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputContainer={(input) => (
        <>
          {input}
          {bar}
        </>
      )}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete="new-password"
      required
      withAsterisk={false}
    />
  );
}
