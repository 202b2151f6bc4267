/** The product's logo and name. */
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Shows logo and name as a link to the overview. */
export function Brand() {
  return (
    <Anchor underline="never" c="inherit" renderRoot={(props) => <Link to="/" {...props} />}>
      <Group gap={10} wrap="nowrap">
        <svg width={28} height={28} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <rect width="32" height="32" rx="8" fill="var(--mantine-color-brand-7)" />
          <path
            d="M12.5 9 7 16l5.5 7M19.5 9 25 16l-5.5 7"
            fill="none"
            stroke="#fff"
            strokeWidth="2.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        <Text fw={650} size="md" style={{ whiteSpace: 'nowrap' }}>
          Utility API
        </Text>
      </Group>
    </Anchor>
  );
}
