/** Runs calls of one operation under a key. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type OperationResponse, runOperation } from '../../api/run-operation.ts';
import type { Call } from '../../components/snippets.ts';
import type { Operation } from '../../components/operations.ts';

/** The last call with its response. A new call keeps the response until the next one is there. */
export interface CallState {
  isPending: boolean;
  /** The reason why the service did not run the operation; null if it did. */
  error: unknown;
  done: { call: Call; response: OperationResponse } | null;
  send: (members: Record<string, unknown>) => void;
}

/** Returns the state of the last call, and `send` for the next one. */
export function useCall(operation: Operation, keyId: string): CallState {
  const client = useQueryClient();
  // The state of a mutation is empty while the next call runs: tabs and scroll positions would be lost.
  const [done, setDone] = useState<CallState['done']>(null);
  const running = useMutation({
    mutationFn: async (members: Record<string, unknown>) => ({
      call: { operation, members },
      response: await runOperation(operation, keyId, members),
    }),
    onSuccess: setDone,
    onSettled: () => {
      for (const name of ['overview', 'usage', 'requests', 'keys'])
        void client.invalidateQueries({ queryKey: [name] });
    },
  });
  return {
    isPending: running.isPending,
    error: running.error,
    done,
    send: (members) => running.mutate(members),
  };
}

/** Returns the members that differ from the defaults of the service, which keeps the call short. */
export function pickChangedMembers(
  values: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== '' && value !== null && value !== defaults[name],
    ),
  );
}

/** Returns the parsed body of a 200, else null. */
export function parseResult({ status, body }: OperationResponse): unknown {
  return status === 200 && body.kind === 'json' ? (JSON.parse(body.text) as unknown) : null;
}

/** Returns a header of the response; undefined if it has none. */
export function findHeader({ headers }: OperationResponse, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}
