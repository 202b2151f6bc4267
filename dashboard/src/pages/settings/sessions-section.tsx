/** The sessions of the account. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { devicesQuery } from '../../api/queries.ts';
import { request } from '../../api/request.ts';
import { signOut } from '../../api/session.ts';
import type { DeviceSession } from '../../api/types.ts';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { deviceName } from '../../components/device-name.ts';
import { getErrorMessage, QueryState, RowsLoading } from '../../components/page-states.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Tag } from '../../components/state.tsx';
import { Item, Items, SettingsSection } from './settings-section.tsx';

/** Lists the sessions, with buttons to end one or all. */
export function SessionsSection() {
  const client = useQueryClient();
  const devices = useQuery(devicesQuery);
  const [confirming, setConfirming] = useState(false);
  return (
    <SettingsSection
      title="Sessions"
      description="End after a day without use, and after a week in any case."
      action={
        <Button variant="default" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </Button>
      }
    >
      <QueryState query={devices}>
        <RowsLoading rows={2} />
      </QueryState>
      {devices.data && (
        <Items label="Sessions">
          {devices.data.map((device) => (
            <SessionItem key={device.id} device={device} />
          ))}
        </Items>
      )}
      <ConfirmModal
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onConfirm={() => signOut(client, true)}
      >
        Every device is signed out, including this one. Your API keys keep working.
      </ConfirmModal>
    </SettingsSection>
  );
}

function SessionItem({ device }: { device: DeviceSession }) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => request('DELETE /account/sessions/:id', { id: device.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Could not sign out', message: getErrorMessage(error) }),
  });
  const name = deviceName(device.user_agent);
  const address = device.ip === null ? '' : `, ${device.ip}`;
  return (
    <Item
      icon="deviceDesktop"
      name={name}
      title={device.user_agent.slice(0, 300)}
      tag={device.current && <Tag>This device</Tag>}
      note={
        <>
          Signed in <RelativeTime iso={device.created_at} />
          {address}
        </>
      }
    >
      <span className="dim">
        {device.current ? (
          'Now'
        ) : (
          <>
            Used <RelativeTime iso={device.last_seen_at} />
          </>
        )}
      </span>
      {!device.current && (
        <Button
          variant="default"
          loading={ending.isPending}
          aria-label={`Sign out ${name}`}
          onClick={() => ending.mutate()}
        >
          Sign out
        </Button>
      )}
    </Item>
  );
}
