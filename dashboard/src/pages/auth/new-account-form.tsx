/** The form that the sign-up and setup pages share. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { findFieldError, findFormError } from '../../api/request.ts';
import { validateAddress, validatePassword } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { FormError } from '../../components/page-states.tsx';
import { NewPasswordField } from '../../components/password-field.tsx';
import { AuthForm } from './auth-form.tsx';

/** Asks for the address and password of a new account. Calls `onSubmit` if both are valid. */
export function NewAccountForm({
  action,
  initialEmail = '',
  error,
  onSubmit,
  above,
  children,
  ...form
}: {
  title: string;
  intro: string;
  /** The label of the submitting button. */
  action: string;
  initialEmail?: string | undefined;
  busy: boolean;
  /** The error of the request. */
  error: unknown;
  onSubmit: (account: { email: string; password: string }) => void;
  /** Shown above the fields. */
  above?: ReactNode;
  children?: ReactNode;
}) {
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ email?: string | null; password?: string | null }>({});
  const submit = () => {
    const found = { email: validateAddress(email), password: validatePassword(password) };
    setProblems(found);
    if (!found.email && !found.password) onSubmit({ email: email.trim(), password });
  };
  return (
    <AuthForm {...form} onSubmit={submit}>
      {above}
      <FormError error={findFormError(error, 'email', 'password')} />
      <EmailField
        value={email}
        onChange={setEmail}
        error={problems.email ?? findFieldError(error, 'email')}
      />
      <NewPasswordField
        value={password}
        email={email}
        onChange={setPassword}
        error={problems.password ?? findFieldError(error, 'password')}
      />
      <Button type="submit" fullWidth loading={form.busy}>
        {action}
      </Button>
      {children}
    </AuthForm>
  );
}
