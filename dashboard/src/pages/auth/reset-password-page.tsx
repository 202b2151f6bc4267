/** Sets a new password with the link of an email. */
import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPreviewQuery } from '../../api/queries.ts';
import { Icon } from '../../components/icon.tsx';
import { validatePassword } from '../../components/credentials.ts';
import { NewPasswordField } from '../../components/password-field.tsx';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, findFormError, request } from '../../api/request.ts';
import { AuthResult, AuthForm, AuthLink } from './auth-form.tsx';

/** Shows the form of a reset link, or that the link is used, expired or incomplete. */
export function ResetPasswordPage() {
  const { token } = useSearch({ from: '/auth/reset-password' });
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (chosen: string) =>
      request('POST /account/password/reset', { body: { token: token ?? '', password: chosen } }),
    // Revoked keys are reported on this page first.
    onSuccess: ({ keys_revoked: revoked }) =>
      revoked === 0 && navigate({ to: '/sign-in', search: { reason: 'password' }, replace: true }),
  });
  const keys = useQuery(resetPreviewQuery(token)).data?.keys_to_revoke ?? 0;
  const linkError = findFieldError(saving.error, 'token');
  if (token === undefined || linkError !== undefined) {
    return <InvalidLink message={linkError ?? 'The link is incomplete. Open it from the email again.'} />;
  }
  if (saving.data && saving.data.keys_revoked > 0) return <KeysRevoked count={saving.data.keys_revoked} />;
  const submit = () => {
    const found = validatePassword(password);
    setInvalid(found);
    if (found === null) saving.mutate(password);
  };
  return (
    <AuthForm
      title="Choose a new password"
      intro="You will be signed out everywhere else."
      busy={saving.isPending}
      onSubmit={submit}
    >
      {keys > 0 && (
        <Alert color="orange" icon={<Icon name="key" />}>
          <Text size="sm">
            Your address was never confirmed, so someone else may have created this account. Its{' '}
            {keys === 1 ? 'API key' : `${keys} API keys`} will be revoked.
          </Text>
        </Alert>
      )}
      <FormError error={findFormError(saving.error, 'password')} />
      <NewPasswordField
        label="New password"
        value={password}
        onChange={setPassword}
        error={invalid ?? findFieldError(saving.error, 'password')}
      />
      <Button type="submit" fullWidth loading={saving.isPending}>
        Set password
      </Button>
    </AuthForm>
  );
}

function KeysRevoked({ count }: { count: number }) {
  return (
    <AuthResult title="Your password is set">
      <Text size="sm" role="status">
        {count === 1 ? '1 key was revoked' : `${count} keys were revoked`}: your address was never confirmed,
        so someone else may have created {count === 1 ? 'it' : 'them'}. Sign in to create new keys.
      </Text>
      <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>Sign in</Button>
    </AuthResult>
  );
}

function InvalidLink({ message }: { message: string }) {
  return (
    <AuthResult title="This link no longer works">
      <Text size="sm" role="alert">
        {message}
      </Text>
      <AuthLink to="/forgot-password">Request a new link</AuthLink>
    </AuthResult>
  );
}
