/** The list of keys, with a menu for each. */
import { ActionIcon, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Key } from '../../api/types.ts';
import { formatMaskedKey, isLive } from '../../components/api-key.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { KeyBadges } from './key-badges.tsx';

/** An action of a key's menu. */
export type KeyAction = 'rename' | 'rotate' | 'restrict' | 'revoke';

/** The props of every dialog about a key. The key stays set while the dialog fades out. */
export interface KeyModalProps {
  opened: boolean;
  apiKey: Key | null;
  onClose: () => void;
}

/** Shows one row per key. Long names are truncated; a tooltip shows them in full. */
export function KeyTable({
  keys,
  onAction,
}: {
  keys: Key[];
  onAction: (action: KeyAction, key: Key) => void;
}) {
  return (
    <StackTable label="Keys" columns={['Name', 'Key', 'Last used', 'Created', 'Expires', 'Actions']}>
      {keys.map((key) => (
        <Row key={key.id}>
          <Cell wide>
            <Stack gap={4} style={{ minWidth: 0, maxWidth: 260 }}>
              <Text fw={600} size="sm" truncate title={key.name}>
                {key.name}
              </Text>
              <KeyBadges apiKey={key} />
            </Stack>
          </Cell>
          <Cell label="Key">
            <Code style={{ whiteSpace: 'nowrap' }}>{formatMaskedKey(key)}</Code>
          </Cell>
          <Cell label="Last used">
            <RelativeTime iso={key.last_used_at} />
          </Cell>
          <Cell label="Created">
            <RelativeTime iso={key.created_at} />
          </Cell>
          <Cell label={key.status === 'revoked' ? 'Revoked' : 'Expires'}>
            <RelativeTime iso={key.revoked_at ?? key.expires_at} />
          </Cell>
          <Cell label="Actions">
            <KeyMenu apiKey={key} onAction={(action) => onAction(action, key)} />
          </Cell>
        </Row>
      ))}
    </StackTable>
  );
}

function KeyMenu({ apiKey, onAction }: { apiKey: Key; onAction: (action: KeyAction) => void }) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const open = (to: '/try' | '/usage') => void navigate({ to, search: { key: apiKey.id } });
  // A closing dialog restores the focus. The menu item no longer exists then, but its button does.
  const act = (action: KeyAction) => {
    button.current?.focus();
    onAction(action);
  };
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            aria-label={`Actions for ${apiKey.name.slice(0, 60)}`}
          >
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isLive(apiKey) && (
            <>
              <MenuItem icon="playerPlay" label="Try it" onClick={() => open('/try')} />
              <MenuItem icon="pencil" label="Rename" onClick={() => act('rename')} />
              <MenuItem icon="lock" label="Restrict" onClick={() => act('restrict')} />
              {apiKey.rotated_to === null && (
                <MenuItem icon="refresh" label="Rotate" onClick={() => act('rotate')} />
              )}
            </>
          )}
          <MenuItem icon="chartBar" label="Usage" onClick={() => open('/usage')} />
          {isLive(apiKey) && <MenuItem icon="ban" label="Revoke" danger onClick={() => act('revoke')} />}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function MenuItem({
  icon,
  label,
  danger = false,
  onClick,
}: {
  icon: IconName;
  label: string;
  danger?: boolean;
  onClick: () => void;
}) {
  return (
    <Menu.Item
      leftSection={<Icon name={icon} size={16} />}
      onClick={onClick}
      {...(danger && { color: 'red', style: { color: 'var(--mantine-color-error)' } })}
    >
      {label}
    </Menu.Item>
  );
}
