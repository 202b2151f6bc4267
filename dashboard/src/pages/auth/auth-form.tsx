/** Parts that the sign-in, sign-up and reset pages share. */
import { Anchor } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { setSignedIn } from '../../api/session.ts';
import type { Account } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { useTabTitle } from '../../components/page-header.tsx';
import classes from './auth-form.module.css';

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
      <h1 className={classes.title}>{title}</h1>
      {intro !== undefined && <p className={classes.intro}>{intro}</p>}
      <div className={classes.fields}>{children}</div>
    </Form>
  );
}

/** Shows the result of a form: title, message and links. */
export function AuthResult({ title, children }: { title: string; children: ReactNode }) {
  useTabTitle(title);
  return (
    <>
      <h1 className={classes.title}>{title}</h1>
      <div className={classes.fields}>{children}</div>
    </>
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

/** Signs in and opens `next` if it is a path of this dashboard, else the overview; or the second step. */
export function useSignIn(next: string | undefined) {
  const enter = useEnter(next);
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (credentials: { email: string; password: string }) =>
      request('POST /account/sign-in', { body: credentials }),
    onSuccess: ({ account }) =>
      account
        ? enter(account)
        : navigate({ to: '/sign-in', search: { step: 'second-factor', next }, replace: true }),
  });
}

/** Returns a function that opens `next`, or the overview, for the account that has signed in. */
export function useEnter(next: string | undefined): (account: Account) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (account) => {
    await client.ensureQueryData(sessionQuery).catch(() => null);
    setSignedIn(client, account);
    await navigate({ href: isOwnPath(next) ? next : '/', replace: true });
  };
}

// "//elsewhere" and "/\elsewhere" lead to another host.
function isOwnPath(path: string | undefined): path is string {
  return path !== undefined && /^\/(?![/\\])/.test(path);
}
