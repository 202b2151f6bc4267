/** The field for the email address of an account. */
import { TextInput } from '@mantine/core';

/** Shows the field, focused and filled in by password managers. */
export function EmailField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | null | undefined;
}) {
  return (
    <TextInput
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      autoFocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}
