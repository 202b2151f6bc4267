/** The check of a list as state of the page. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { runBatch } from '../../../api/run-batch.ts';
import type { EmailResult } from './email-result.ts';
import { ListCheck, type Sleep } from './list-check.ts';

/** Results may arrive every millisecond. */
const REFRESH_MS = 120;

/** Returns the current check, if any, and functions that create one and remove it. */
export function useListCheck(keyId: string) {
  const client = useQueryClient();
  const [check, setCheck] = useState<ListCheck | null>(null);
  const refresh = useThrottledRefresh();
  useEffect(() => {
    if (!check) return undefined;
    void check
      .start()
      .finally(
        () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }),
      );
    return () => check.cancel();
  }, [check, client]);
  const create = (addresses: readonly string[]) => {
    setCheck(
      new ListCheck(addresses, {
        sendBatch: (emails, signal) =>
          runBatch<EmailResult>('validateEmailBatch', keyId, { emails, details: true }, signal),
        sleep,
        onChange: refresh,
      }),
    );
  };
  return { check, create, remove: () => setCheck(null) };
}

/** Returns a function that renders the component again soon. */
function useThrottledRefresh(): () => void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      render();
    }, REFRESH_MS);
  };
}

const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
