/** The header of a page: title, description and actions. */
import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** Shows the header and sets the title of the tab. */
export function PageHeader({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
}) {
  useTabTitle(title);
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg">
      <Box maw={640}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            {description}
          </Text>
        )}
      </Box>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  );
}

/** Sets the title of the browser's tab. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Utility API`;
  }, [title]);
}
