/** Parts that the sign-in, sign-up and reset pages share. */
import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { setSignedIn } from '../../api/session.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { useTabTitle } from '../../components/page-header.tsx';

/** Shows a form with title and introduction. */
export function AuthForm({
  title,
  intro,
  busy,
  onSubmit,
  children,
}: {
  title: string;
  intro?: ReactNode;
  busy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  useTabTitle(title);
  return (
    <Form busy={busy} onSubmit={onSubmit}>
      <Stack gap="md">
        <div>
          <Title order={1} size="h3">
            {title}
          </Title>
          {intro !== undefined && (
            <Text size="sm" c="dimmed" mt={4}>
              {intro}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Form>
  );
}

/** Shows the result of a form: title, message and links. */
export function AuthResult({ title, children }: { title: string; children: ReactNode }) {
  useTabTitle(title);
  return (
    <Stack gap="md">
      <Title order={1} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** Links to another of these pages. */
export function AuthLink({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...link} {...props} />}>
      {children}
    </Anchor>
  );
}

/** Shows that the link is in the log, if the service has no SMTP server. */
export function EmailDeliveryNote() {
  const mail = useQuery(sessionQuery).data?.mail;
  if (mail !== false) return null;
  return (
    <Alert color="blue" icon={<Icon name="infoCircle" />}>
      <Text size="sm">
        This service sends no email. The link is in its log, where the operator can find it.
      </Text>
    </Alert>
  );
}

/** Signs in and opens `next` if it is a path of this dashboard, else the overview. */
export function useSignIn(next: string | undefined) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (credentials: { email: string; password: string }) =>
      request('POST /account/sign-in', { body: credentials }),
    onSuccess: async ({ account }) => {
      // The second step has no form yet.
      if (!account) throw new Error('Your account asks for a code.');
      await client.ensureQueryData(sessionQuery).catch(() => null);
      setSignedIn(client, account);
      await navigate({ href: isOwnPath(next) ? next : '/', replace: true });
    },
  });
}

// "//elsewhere" and "/\elsewhere" lead to another host.
function isOwnPath(path: string | undefined): path is string {
  return path !== undefined && /^\/(?![/\\])/.test(path);
}
