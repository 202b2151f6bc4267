/** The list of keys, with a menu for each. */
import { ActionIcon, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Key } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { Cell, Row, StackTable } from '../../components/stack-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { KeyBadges, formatMaskedKey } from './key-badges.tsx';

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
  const isLive = apiKey.status === 'active' || apiKey.status === 'expiring';
  const button = useRef<HTMLButtonElement>(null);
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
          {isLive && (
            <>
              <Menu.Item
                leftSection={<Icon name="playerPlay" size={16} />}
                onClick={() => void navigate({ to: '/try', search: { key: apiKey.id } })}
              >
                Try it
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="pencil" size={16} />} onClick={() => act('rename')}>
                Rename
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="lock" size={16} />} onClick={() => act('restrict')}>
                Restrict
              </Menu.Item>
              {apiKey.rotated_to === null && (
                <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={() => act('rotate')}>
                  Rotate
                </Menu.Item>
              )}
            </>
          )}
          <Menu.Item
            leftSection={<Icon name="chartBar" size={16} />}
            onClick={() => void navigate({ to: '/usage', search: { key: apiKey.id } })}
          >
            Usage
          </Menu.Item>
          {isLive && (
            <Menu.Item
              color="red"
              leftSection={<Icon name="ban" size={16} />}
              onClick={() => act('revoke')}
              style={{ color: 'var(--mantine-color-error)' }}
            >
              Revoke
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
