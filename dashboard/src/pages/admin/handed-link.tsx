/** A link that an administrator hands over. */
import { Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatExact } from '../../components/format.ts';
import { SecretText } from '../../components/secret-text.tsx';

/** Shows the link with a copy button and when it expires. It is shown only once. */
export function HandedLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  return (
    <Stack gap="xs" align="stretch" role="status">
      <SecretText>{url}</SecretText>
      <Group gap="sm">
        <CopyButton text={url} label="Copy link" />
        <Text size="sm" c="dimmed">
          Expires {formatExact(expiresAt)}. Works once.
        </Text>
      </Group>
    </Stack>
  );
}
