/** The steps of a new account: create a key, make a call, call the API from a server. */
import { Alert, Anchor, Button, Group, Stack, Text, TextInput, ThemeIcon, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type OperationResponse, runOperation } from '../../api/run-operation.ts';
import type { CreatedKey } from '../../api/types.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form } from '../../components/form.tsx';
import { formatNumber } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { SecretText } from '../../components/secret-text.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useCreateKey } from '../keys/key-mutations.ts';
import { CallChoice } from './first-calls.tsx';

/** Shows three steps; the later ones open when the key exists. */
export function FirstSteps({
  created,
  onCreated,
}: {
  created: CreatedKey | null;
  onCreated: (key: CreatedKey) => void;
}) {
  const [called, setCalled] = useState(false);
  return (
    <Stack gap="md">
      <Step number={1} title="Create a key" done={created !== null} open>
        <KeyStep created={created} onCreated={onCreated} />
      </Step>
      <Step number={2} title="Make your first call" done={called} open={created !== null}>
        {created && <CallStep keyId={created.key.id} onCalled={() => setCalled(true)} />}
      </Step>
      <Step number={3} title="Call it from your server" done={false} open={created !== null}>
        {created && <CallChoice secret={created.secret} />}
      </Step>
    </Stack>
  );
}

function Step({
  number,
  title,
  done,
  open,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  open: boolean;
  children: ReactNode;
}) {
  return (
    <section className="surface" style={{ padding: 20 }} aria-label={`Step ${number}: ${title}`}>
      <Group gap="sm" mb={open ? 'sm' : 0}>
        <ThemeIcon
          radius="xl"
          size={28}
          color={done ? 'green' : 'ink'}
          variant={open && !done ? 'filled' : 'light'}
        >
          {done ? <Icon name="check" size={16} /> : <span className="tabular">{number}</span>}
        </ThemeIcon>
        <Title order={2} size="h4" c={open ? undefined : 'dimmed'}>
          {title}
        </Title>
      </Group>
      {open && children}
    </section>
  );
}

function KeyStep({
  created,
  onCreated,
}: {
  created: CreatedKey | null;
  onCreated: (key: CreatedKey) => void;
}) {
  const creating = useCreateKey();
  if (created === null) {
    return (
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          Your server sends it with every request. You can create and name more keys later.
        </Text>
        <FormError error={creating.error} />
        <Button
          leftSection={<Icon name="key" />}
          loading={creating.isPending}
          onClick={() =>
            creating.isPending || creating.mutate({ name: 'My first key' }, { onSuccess: onCreated })
          }
        >
          Create my first key
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm" align="stretch">
      <SecretText data-testid="key-secret">{created.secret}</SecretText>
      <Group gap="sm">
        <CopyButton text={created.secret} label="Copy key" />
        <Text size="sm" c="dimmed">
          This key is shown only once. Store it with your server’s secrets.
        </Text>
      </Group>
    </Stack>
  );
}

function CallStep({ keyId, onCalled }: { keyId: string; onCalled: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('ann@gmial.com');
  const calling = useMutation({
    mutationFn: () => runOperation('validateEmail', keyId, { email }),
    onSuccess: (response) => {
      if (response.status === 200) onCalled();
      void client.invalidateQueries({ queryKey: ['overview'] });
    },
  });
  return (
    <Stack gap="sm">
      <Form busy={calling.isPending} onSubmit={() => calling.mutate()}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Is this address usable?"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            style={{ flex: '1 1 220px' }}
            autoComplete="off"
          />
          <Button type="submit" loading={calling.isPending} leftSection={<Icon name="send" size={16} />}>
            Call the API
          </Button>
        </Group>
      </Form>
      <FormError error={calling.error} />
      {calling.data && <CallResponse response={calling.data} keyId={keyId} />}
    </Stack>
  );
}

function CallResponse({ response, keyId }: { response: OperationResponse; keyId: string }) {
  return (
    <>
      <Group gap="sm">
        <StatusBadge status={response.status} text={response.statusText} />
        <Text size="sm" c="dimmed" className="tabular">
          {formatNumber(response.ms)} ms
        </Text>
      </Group>
      {response.body.kind !== 'pdf' && (
        <CodeBlock code={response.body.text} label="the response" language="json" />
      )}
      {response.status === 200 && (
        <Alert color="green" icon={<Icon name="rocket" />} py="xs">
          <Text size="sm">
            That was your first call. Page metadata and PDFs are under{' '}
            <Anchor
              underline="always"
              inherit
              renderRoot={(props) => <Link to="/try" search={{ key: keyId }} {...props} />}
            >
              Try it
            </Anchor>
            .
          </Text>
        </Alert>
      )}
    </>
  );
}
