/** The layout of sign-up, sign-in and the pages that emails link to. */
import { Box, Center, Stack, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useSessionOfOtherTabs } from '../../api/session.ts';
import { BarePage } from '../../components/bare-page.tsx';

/** Shows the page in a narrow, centered card. */
export function AuthLayout() {
  useSessionOfOtherTabs();
  return (
    <BarePage>
      <Center px="md" pt={{ base: 16, sm: 48 }} pb={48}>
        <Stack w="100%" maw={420} gap="lg">
          <Box className="surface" p={{ base: 'lg', sm: 32 }}>
            <Outlet />
          </Box>
          <Text size="xs" c="dimmed" ta="center">
            Email validation, page metadata and HTML to PDF with one API key.
          </Text>
        </Stack>
      </Center>
    </BarePage>
  );
}
