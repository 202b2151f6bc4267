/** The head of a page: its title, a sentence, and what can be done on it. */
import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** Shows the title and gives it to the tab as well. */
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

/** Names the browser's tab after the page. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Utility API`;
  }, [title]);
}
