/** Asking for a link that sets a new password. */
import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/page-states.tsx';
import { AuthDone, AuthForm, AuthLink, WhereMailGoes } from './auth-form.tsx';
import { emailProblem } from './new-password-input.tsx';

/** The same answer for every address, whether it has an account or not. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const asking = useMutation({
    mutationFn: (address: string) =>
      request('POST', '/account/password/forgot', { body: { email: address } }),
  });
  if (asking.isSuccess) {
    return (
      <AuthDone title="Look at your mail">
        <Text size="sm">
          If {email.trim()} has an account here, a link that sets a new password is on its way to it. It works
          once, for a short time.
        </Text>
        <WhereMailGoes />
        <AuthLink to="/sign-in">Back to sign in</AuthLink>
      </AuthDone>
    );
  }
  const submit = () => {
    const found = emailProblem(email);
    setProblem(found);
    if (found === null && !asking.isPending) asking.mutate(email.trim());
  };
  return (
    <AuthForm
      title="Reset your password"
      intro="We send you a link that lets you choose a new one."
      busy={asking.isPending}
      onSubmit={submit}
    >
      <FormError error={asking.error} />
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={problem}
      />
      <Button type="submit" fullWidth loading={asking.isPending}>
        Send the link
      </Button>
      <AuthLink to="/sign-in">Back to sign in</AuthLink>
    </AuthForm>
  );
}
