/** The layout of pages without the account's navigation. */
import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** Shows a header with logo and theme toggle, and the children in <main>. */
export function BarePage({ children }: { children: ReactNode }) {
  return (
    <Box mih="100vh" style={{ display: 'flex', flexDirection: 'column' }}>
      <Group component="header" justify="space-between" px="lg" py="sm">
        <Brand />
        <ThemeToggle />
      </Group>
      <main>{children}</main>
    </Box>
  );
}
