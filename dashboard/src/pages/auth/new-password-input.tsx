/** A field for a new password: the rule is told before it is broken. */
import { Progress } from '@mantine/core';
import { PasswordField } from '../../components/password-field.tsx';

const characters = (text: string) => Array.from(text).length;

/** The service's own lower bound; the service decides, this only tells early. */
export const MIN_PASSWORD_CHARACTERS = 10;

/** A password field with a bar that fills up to the least length. */
export function NewPasswordInput({
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
  const length = characters(value);
  const enough = length >= MIN_PASSWORD_CHARACTERS;
  const bar = (
    <Progress
      value={Math.min(100, (length / MIN_PASSWORD_CHARACTERS) * 100)}
      color={enough ? 'green' : 'orange'}
      size={4}
      mt={6}
      aria-hidden="true"
    />
  );
  return (
    <PasswordField
      label={label}
      description={`${enough ? 'Long enough.' : `At least ${MIN_PASSWORD_CHARACTERS} characters.`} A few unrelated words make a good one.`}
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

/** What is wrong with a new password before it is sent; null when nothing is. */
export function passwordProblem(password: string): string | null {
  if (characters(password) >= MIN_PASSWORD_CHARACTERS) return null;
  return `The password is too short: use at least ${MIN_PASSWORD_CHARACTERS} characters.`;
}

/** What is wrong with an address before it is sent; null when nothing obvious is. */
export function emailProblem(email: string): string | null {
  if (email.trim() === '') return 'Enter your e-mail address.';
  return /^[^@\s]+@[^@\s]+$/.test(email.trim())
    ? null
    : 'This is not an e-mail address: it needs a name, an @ and a domain.';
}
