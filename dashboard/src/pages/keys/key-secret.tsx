/** The secret of a new key, which is shown only once. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CreatedKey } from '../../api/types.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { SecretText } from '../../components/secret-text.tsx';

/** Shows the secret with a copy button and the next steps. */
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
        Copy <strong style={{ overflowWrap: 'anywhere' }}>{created.key.name}</strong> now and store it with
        your server’s secrets.
        {note !== undefined && ` ${note}`}
      </Text>
      <SecretText data-testid="key-secret">{created.secret}</SecretText>
      <Alert color="orange" icon={<Icon name="eye" />} py="xs">
        <Text size="sm">This key is shown only once. Never put it into a web page or an app.</Text>
      </Alert>
      <Group justify="space-between" gap="xs">
        <CopyButton text={created.secret} label="Copy key" />
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
