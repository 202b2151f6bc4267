/** A key's secret, in the only moment in which it is shown. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CreatedKey } from '../../api/types.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';

/** The secret with its copy button, and where to go from here. */
export function KeySecret({
  created,
  onDone,
  note,
}: {
  created: CreatedKey;
  onDone: () => void;
  note?: string;
}) {
  return (
    <Stack>
      <Text size="sm">
        Copy <strong style={{ overflowWrap: 'anywhere' }}>{created.key.name}</strong> now and keep it where
        your server reads its secrets.
        {note !== undefined && ` ${note}`}
      </Text>
      <Code
        block
        data-testid="key-secret"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        fz="sm"
        p="sm"
      >
        {created.secret}
      </Code>
      <Alert color="orange" icon={<Icon name="eye" />} py="xs">
        <Text size="sm">This is the only time it is shown. Never put it into a web page or an app.</Text>
      </Alert>
      <Group justify="space-between" gap="xs">
        <CopyButton text={created.secret} label="Copy the key" />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Icon name="playerPlay" size={16} />}
            onClick={onDone}
            renderRoot={(props) => <Link to="/try" search={{ key: created.key.id }} {...props} />}
          >
            Try it
          </Button>
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
