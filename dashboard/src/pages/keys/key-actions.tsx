/** The … menu of a key, and the props of what it opens. */
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ListedKey } from '../../api/types.ts';
import { isLive } from '../../components/api-key.ts';
import { Icon, type IconName } from '../../components/icon.tsx';

/** An action of a key's menu. */
export type KeyAction = 'rename' | 'rotate' | 'restrict' | 'revoke';

/** The props of every drawer and dialog about a key. The key stays set while it fades out. */
export interface KeyDialogProps {
  opened: boolean;
  apiKey: ListedKey | null;
  onClose: () => void;
}

/** Shows the button and its menu. */
export function KeyMenu({ apiKey, onAction }: { apiKey: ListedKey; onAction: (action: KeyAction) => void }) {
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const search = { key: apiKey.id };
  // A closing drawer restores the focus. The menu item no longer exists then, but its button does.
  const act = (action: KeyAction) => {
    button.current?.focus();
    onAction(action);
  };
  const live = isLive(apiKey);
  return (
    // The table scrolls sideways, which would cut the menu off.
    <Menu position="bottom-end" width={200} withinPortal portalProps={{ target: '#overlays' }}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Actions for ${apiKey.name.slice(0, 60)}`}
        >
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {live && (
          <MenuItem icon="playerPlay" label="Try it" onClick={() => void navigate({ to: '/try', search })} />
        )}
        <MenuItem
          icon="listDetails"
          label="Requests"
          onClick={() => void navigate({ to: '/requests', search })}
        />
        <MenuItem icon="chartBar" label="Usage" onClick={() => void navigate({ to: '/usage', search })} />
        {live && (
          <>
            <Menu.Divider />
            <MenuItem icon="pencil" label="Rename" onClick={() => act('rename')} />
            <MenuItem icon="lock" label="Restrict" onClick={() => act('restrict')} />
            {apiKey.rotated_to === null && (
              <MenuItem icon="refresh" label="Rotate" onClick={() => act('rotate')} />
            )}
            <MenuItem icon="ban" label="Revoke" danger onClick={() => act('revoke')} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
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
