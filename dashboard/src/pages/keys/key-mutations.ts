/**
 * The mutations of keys. Creations are idempotent: a repetition after a network error creates no second key.
 */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { request, RequestError } from '../../api/request.ts';
import type { KeyChange, NewKey } from '../../api/types.ts';

/** Returns a mutation that creates a key. */
export function useCreateKey() {
  return useIdempotentCreation((body: NewKey, headers) => request('POST /account/keys', { body, headers }));
}

/** Returns a mutation that replaces the key `id`. Its argument is the grace period of the old key in days. */
export function useRotateKey(id: string) {
  return useIdempotentCreation((graceDays: number, headers) =>
    request('POST /account/keys/:id/rotate', { id, body: { grace_days: graceDays }, headers }),
  );
}

/** Returns a mutation that changes the key `id`. */
export function useChangeKey(id: string, onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: KeyChange) => request('PATCH /account/keys/:id', { id, body }),
    onSuccess: () => {
      reloadKeys(client);
      onSuccess();
    },
  });
}

/** Returns a mutation that sends the same Idempotency-Key again if the last attempt had no response. */
function useIdempotentCreation<Input, Output>(
  create: (input: Input, headers: Record<string, string>) => Promise<Output>,
) {
  const client = useQueryClient();
  const attempt = useRef<string | null>(null);
  return useMutation({
    mutationFn: (input: Input) => {
      attempt.current ??= createRandomId();
      return create(input, { 'idempotency-key': attempt.current });
    },
    onSettled: (_, error) => {
      const isOffline = error instanceof RequestError && error.status === 0;
      if (!isOffline) attempt.current = null;
    },
    onSuccess: () => reloadKeys(client),
  });
}

/** Reloads all cached data about keys. */
export function reloadKeys(client: QueryClient): void {
  for (const queryKey of [['keys'], ['plan'], ['overview']]) void client.invalidateQueries({ queryKey });
}

// crypto.randomUUID does not exist on plain http except on localhost.
function createRandomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
