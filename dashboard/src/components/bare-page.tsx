/** A page without the account's navigation: the mark, the theme, and what is in the middle. */
import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The header and, in <main>, the children. */
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
