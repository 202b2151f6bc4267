/** Making keys: one click makes one key, however often it is clicked and however often the network fails. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { RequestError, request } from '../../api/request.ts';
import type { CreatedKey, Operation, RotatedKey } from '../../api/types.ts';

/** What a new key is to be; null means without that restriction. */
export interface NewKey {
  name: string;
  expires_at?: string;
  operations?: Operation[];
  client_cidrs?: string[];
}

/** Creates a key. */
export function useCreateKey() {
  return useKeyMaker<NewKey, CreatedKey>((key) => ({ path: '/account/keys', body: key }));
}

/** Replaces the key `id` by a new one; the old one works for `graceDays` more. */
export function useRotateKey(id: string) {
  return useKeyMaker<number, RotatedKey>((graceDays) => ({
    path: `/account/keys/${id}/rotate`,
    body: { grace_days: graceDays },
  }));
}

/** A repetition after a network failure carries the same Idempotency-Key, so that it can not make a second key. */
function useKeyMaker<Wish, Made extends CreatedKey>(write: (wish: Wish) => { path: string; body: unknown }) {
  const client = useQueryClient();
  const attempt = useRef<string | null>(null);
  return useMutation({
    mutationFn: (wish: Wish) => {
      attempt.current ??= randomId();
      const { path, body } = write(wish);
      return request<Made>('POST', path, { body, headers: { 'idempotency-key': attempt.current } });
    },
    onSettled: (_, error) => {
      const unanswered = error instanceof RequestError && error.status === 0;
      if (!unanswered) attempt.current = null;
    },
    onSuccess: () => refreshKeys(client),
  });
}

/** Reads again whatever shows keys. */
export function refreshKeys(client: ReturnType<typeof useQueryClient>): void {
  for (const queryKey of [['keys'], ['plan'], ['overview']]) void client.invalidateQueries({ queryKey });
}

// Not crypto.randomUUID: it is missing on plain http addresses other than localhost.
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
