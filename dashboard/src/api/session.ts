/** Signing in and out as the page sees it: the cached session, and what other tabs are told. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from './queries.ts';
import { request, RequestError } from './request.ts';
import type { Account, Session } from './types.ts';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('utility-api-session');

function tellOtherTabs(): void {
  // A BroadcastChannel reaches its own origin only: there is no target to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('changed');
}

/** How the person in this tab ended the session; null when nobody here did. */
let ending: { reason?: string } | null = null;

/** Forgets what was read for an account: nothing of it may be seen under the next one. */
export function forgetAccountData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
}

/** Puts the account that signed in into the cache and tells the other tabs. */
export function keepSignedIn(client: QueryClient, account: Account): void {
  ending = null;
  forgetAccountData(client);
  // An answer that is still on its way is of before.
  void client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData<Session>(sessionQuery.queryKey, (session) =>
    session ? { ...session, account } : session,
  );
  void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  tellOtherTabs();
}

/** Forgets everything that was read for the account and tells the other tabs. The sign-in page says `reason`. */
export function forgetSession(client: QueryClient, reason?: string): void {
  ending = reason === undefined ? {} : { reason };
  forgetAccountData(client);
  // An answer that is still on its way is of before.
  void client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData<Session>(sessionQuery.queryKey, (session) =>
    session ? { ...session, account: null } : session,
  );
  tellOtherTabs();
}

/** How the last session was ended in this tab; null when it expired or was ended elsewhere. */
export function findOwnEnding(): { reason?: string } | null {
  return ending;
}

/** Signs out on the service, then forgets the session here. */
export async function signOut(client: QueryClient, everywhere = false): Promise<void> {
  const path = everywhere ? '/account/sign-out-everywhere' : '/account/sign-out';
  await request('POST', path, { body: {} }).catch((error: unknown) => {
    // A session that has ended already needs no more than to be forgotten.
    if (everywhere || !(error instanceof RequestError) || error.status !== 401) throw error;
  });
  forgetSession(client);
}

/** The signed-in account; only for what is drawn inside the frame, which is drawn only for one. */
export function useAccount(): Account {
  const account = useQuery(sessionQuery).data?.account;
  if (!account) throw new Error('useAccount outside of a session');
  return account;
}

/** Asks again who is signed in when another tab signs in or out. */
export function useSessionOfOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onMessage = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    channel?.addEventListener('message', onMessage);
    return () => channel?.removeEventListener('message', onMessage);
  }, [client]);
}
