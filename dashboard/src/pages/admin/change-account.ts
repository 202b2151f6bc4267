/** The request that changes another account. */
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { RouteRequest } from '../../api/types.ts';
import { getErrorMessage } from '../../components/page-states.tsx';

type AccountChange = { id: string } & RouteRequest<'PATCH /account/admin/accounts/:id'>;

/** Returns a mutation that changes the plan, disables, enables or verifies. It shows its error itself. */
export function useChangeAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: AccountChange) =>
      request('PATCH /account/admin/accounts/:id', { id, body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'Could not change the account',
        message: getErrorMessage(error),
      }),
  });
}
