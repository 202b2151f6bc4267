/** Content that a button opens and closes. */
import { Collapse, Group, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';

/** Shows the button, and the content while it is open. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <UnstyledButton
        onClick={() => setOpened(!opened)}
        aria-expanded={opened}
        c="var(--mantine-color-anchor)"
        fz="sm"
      >
        <Group gap={4} wrap="nowrap">
          <Icon name={opened ? 'chevronDown' : 'plus'} size={15} />
          {label}
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened} keepMounted={false}>
        {children}
      </Collapse>
    </>
  );
}
