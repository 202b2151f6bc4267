/** Choosing a new password by the link of a mail. */
import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPreviewQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { Icon } from '../../components/icon.tsx';
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
      request<{ keys_revoked: number }>('POST', '/account/password/reset', {
        body: { token, password: chosen },
      }),
    // Revoked keys are said here, first of all.
    onSuccess: ({ keys_revoked: revoked }) =>
      revoked === 0 && navigate({ to: '/sign-in', search: { reason: 'password' }, replace: true }),
  });
  const keys = useQuery(resetPreviewQuery(token)).data?.keys_to_revoke ?? 0;
  const linkError = fieldError(setting.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return <DeadLink sentence={linkError ?? 'The link is incomplete: open it from the email again.'} />;
  }
  if (setting.data && setting.data.keys_revoked > 0) return <KeysRevoked count={setting.data.keys_revoked} />;
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
      {keys > 0 && (
        <Alert color="orange" icon={<Icon name="key" />}>
          <Text size="sm">
            Your address has not been confirmed before, so someone else may have created this account. The{' '}
            {keys === 1 ? 'key' : `${keys} keys`} created before will be revoked.
          </Text>
        </Alert>
      )}
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

function KeysRevoked({ count }: { count: number }) {
  return (
    <AuthDone title="Your password is set">
      <Text size="sm" role="status">
        {count === 1 ? '1 key was revoked' : `${count} keys were revoked`}: your address had not been
        confirmed before, so someone else may have created {count === 1 ? 'it' : 'them'}. Sign in to create
        new keys.
      </Text>
      <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>Sign in</Button>
    </AuthDone>
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
