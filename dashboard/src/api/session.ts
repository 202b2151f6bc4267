/** Signing in and out in this page: the cached session, and messages to the other tabs. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from './queries.ts';
import { request, RequestError } from './request.ts';
import type { Account, Session } from './types.ts';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('utility-api-session');

function notifyOtherTabs(): void {
  // The rule means window.postMessage: a BroadcastChannel reaches only its own origin and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage('changed');
}

/** Set if the user ended the session in this tab, with the reason; null if it ended otherwise. */
let ending: { reason?: string } | null = null;

/** Removes the account's data from the cache, so that the next account does not see it. */
export function clearAccountData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
}

/** Caches the account that has signed in and notifies the other tabs. */
export function setSignedIn(client: QueryClient, account: Account): void {
  ending = null;
  replaceAccount(client, account);
  void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  notifyOtherTabs();
}

/** Clears the session and the account's data and notifies the other tabs. The sign-in page shows `reason`. */
export function clearSession(client: QueryClient, reason?: string): void {
  ending = reason === undefined ? {} : { reason };
  replaceAccount(client, null);
  notifyOtherTabs();
}

function replaceAccount(client: QueryClient, account: Account | null): void {
  clearAccountData(client);
  // A response in flight belongs to the session before.
  void client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData<Session>(sessionQuery.queryKey, (session) =>
    session ? { ...session, account } : session,
  );
}

/** Returns how the session was ended in this tab; null if it expired or was ended elsewhere. */
export function findOwnEnding(): { reason?: string } | null {
  return ending;
}

/** Signs out on the service, then clears the session here. */
export async function signOut(client: QueryClient, everywhere = false): Promise<void> {
  const route = everywhere ? 'POST /account/sign-out-everywhere' : 'POST /account/sign-out';
  await request(route, { body: {} }).catch((error: unknown) => {
    // A session that has already ended needs no request.
    if (everywhere || !(error instanceof RequestError) || error.status !== 401) throw error;
  });
  clearSession(client);
}

/** Returns the signed-in account. Throws outside the frame, which renders only when there is one. */
export function useAccount(): Account {
  const account = useQuery(sessionQuery).data?.account;
  if (!account) throw new Error('useAccount outside of a session');
  return account;
}

/** Reloads the session when another tab signs in or out. */
export function useSessionOfOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onMessage = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    channel?.addEventListener('message', onMessage);
    return () => channel?.removeEventListener('message', onMessage);
  }, [client]);
}
