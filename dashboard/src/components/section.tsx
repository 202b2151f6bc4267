/** A titled card on a page. */
import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** Shows title, description and content. `actions` are right of the title. */
export function Section({
  title,
  description,
  actions,
  children,
  padded = true,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  padded?: boolean;
}) {
  const id = useId();
  return (
    <Box component="section" className="surface" aria-labelledby={id} style={{ minWidth: 0 }}>
      <Group justify="space-between" gap="sm" px="lg" pt="md" pb={padded ? 0 : 'sm'}>
        <Box style={{ minWidth: 0 }}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <Box p={padded ? 'lg' : 0} pt={padded ? 'md' : 0}>
        {children}
      </Box>
    </Box>
  );
}
