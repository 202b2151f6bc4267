/** Sign-in by the operator's identity provider (OpenID Connect). */
import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { oidcRefusalQuery, sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import classes from './auth-form.module.css';

/** Shows the button of the provider above the form; nothing if the service has none. */
export function ProviderButton({ invite }: { invite?: string | undefined }) {
  const provider = useQuery(sessionQuery).data?.oidc;
  const starting = useMutation({
    mutationFn: () => request('POST /account/oidc/start', { body: invite === undefined ? {} : { invite } }),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (!provider) return null;
  return (
    <>
      <FormError error={starting.error} />
      <Button
        variant="default"
        fullWidth
        leftSection={<Icon name="world" size={16} />}
        loading={starting.isPending || starting.isSuccess}
        onClick={() => starting.mutate()}
      >
        Continue with {provider.name}
      </Button>
      <p className={classes.or}>or with your password</p>
    </>
  );
}

/** Shows why the sign-in at the provider was refused, and how to proceed. */
export function RefusalNote({ code }: { code: string | undefined }) {
  const message = useQuery(oidcRefusalQuery(code)).data?.message;
  if (message === undefined) return null;
  return (
    <Alert color="orange" icon={<Icon name="alertTriangle" size={16} />} role="alert">
      <Text size="sm">{message}</Text>
    </Alert>
  );
}
