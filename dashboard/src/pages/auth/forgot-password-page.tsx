/** Requests a link that sets a new password. */
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import { validateAddress } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { FormError } from '../../components/page-states.tsx';
import { AuthResult, AuthForm, AuthLink, EmailDeliveryNote } from './auth-form.tsx';

/** Shows the same result for every address, with or without an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: (address: string) => request('POST /account/password/forgot', { body: { email: address } }),
  });
  if (sending.isSuccess) {
    return (
      <AuthResult title="Check your inbox">
        <Text size="sm">
          If {email.trim()} has an account, we have sent it a link that sets a new password. The link works
          once and expires soon.
        </Text>
        <EmailDeliveryNote />
        <AuthLink to="/sign-in">Back to sign in</AuthLink>
      </AuthResult>
    );
  }
  const submit = () => {
    const found = validateAddress(email);
    setInvalid(found);
    if (found === null) sending.mutate(email.trim());
  };
  return (
    <AuthForm
      title="Reset your password"
      intro="We email you a link to choose a new one."
      busy={sending.isPending}
      onSubmit={submit}
    >
      <FormError error={sending.error} />
      <EmailField value={email} onChange={setEmail} error={invalid} />
      <Button type="submit" fullWidth loading={sending.isPending}>
        Send link
      </Button>
      <AuthLink to="/sign-in">Back to sign in</AuthLink>
    </AuthForm>
  );
}
