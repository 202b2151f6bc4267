/** Choosing a new password by the link of a mail. */
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/page-states.tsx';
import { fieldError, otherError } from '../../components/field-errors.ts';
import { AuthDone, AuthForm, AuthLink } from './auth-form.tsx';
import { NewPasswordInput, passwordProblem } from './new-password-input.tsx';

/** The form of a reset link; a link that is spent, old or cut off says so and offers a new one. */
export function ResetPasswordPage() {
  const { token } = useSearch({ from: '/auth/reset-password' });
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const setting = useMutation({
    mutationFn: (chosen: string) =>
      request('POST', '/account/password/reset', { body: { token, password: chosen } }),
    onSuccess: () => navigate({ to: '/sign-in', search: { reason: 'password' }, replace: true }),
  });
  const linkError = fieldError(setting.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return <DeadLink sentence={linkError ?? 'The link is not whole: open it from the mail once more.'} />;
  }
  const submit = () => {
    const found = passwordProblem(password);
    setProblem(found);
    if (found === null && !setting.isPending) setting.mutate(password);
  };
  return (
    <AuthForm
      title="Choose a new password"
      intro="You will be signed out everywhere else."
      busy={setting.isPending}
      onSubmit={submit}
    >
      <FormError error={otherError(setting.error, 'password')} />
      <NewPasswordInput
        label="New password"
        value={password}
        onChange={setPassword}
        error={problem ?? fieldError(setting.error, 'password')}
      />
      <Button type="submit" fullWidth loading={setting.isPending}>
        Set the password
      </Button>
    </AuthForm>
  );
}

function DeadLink({ sentence }: { sentence: string }) {
  return (
    <AuthDone title="This link no longer works">
      <Text size="sm" role="alert">
        {sentence}
      </Text>
      <AuthLink to="/forgot-password">Ask for a new link</AuthLink>
    </AuthDone>
  );
}
