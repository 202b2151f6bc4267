/** Requests a link that sets a new password. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { validateAddress } from '../../components/credentials.ts';
import { EmailField } from '../../components/email-field.tsx';
import { FormError } from '../../components/page-states.tsx';
import { AuthResult, AuthForm, AuthLink } from './auth-form.tsx';

/** Shows the same result for every address, with or without an account. */
export function ForgotPasswordPage() {
  const mail = useQuery(sessionQuery).data?.mail !== false;
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const sending = useMutation({
    mutationFn: (address: string) => request('POST /account/password/forgot', { body: { email: address } }),
  });
  if (sending.isSuccess) {
    return (
      <AuthResult title={mail ? 'Check your inbox' : 'Ask the operator for the link'}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {mail
            ? `If ${email.trim()} has an account, we have sent it a link that sets a new password.`
            : `This service sends no email. If ${email.trim()} has an account, the link that sets a new password is in the service’s log.`}{' '}
          The link works once and expires soon.
        </Text>
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
      intro={
        mail
          ? 'We email you a link to choose a new one.'
          : 'This service sends no email: the operator finds the link in its log.'
      }
      busy={sending.isPending}
      onSubmit={submit}
    >
      <FormError error={sending.error} />
      <EmailField value={email} onChange={setEmail} error={invalid} />
      <Button type="submit" fullWidth loading={sending.isPending}>
        {mail ? 'Send link' : 'Create link'}
      </Button>
      <AuthLink to="/sign-in">Back to sign in</AuthLink>
    </AuthForm>
  );
}
