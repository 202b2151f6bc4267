/** The dialog that creates a key and shows its secret once. */
import { Button, Collapse, Group, Modal, Select, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { FormError } from '../../components/page-states.tsx';
import { findFieldError, findFormError } from '../../api/request.ts';
import type { NewKey } from '../../api/types.ts';
import { useCreateKey } from './create-key.ts';
import { KeySecret } from './key-secret.tsx';
import { RestrictionFields, toRestrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';

const FIELDS = ['name', 'expires_at', 'operations', 'client_cidrs'];

/** Shows an empty form when opened. Closing it removes the secret from the page. */
export function CreateKeyModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [shown, setShown] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={shown ? 'Your new key' : 'Create a key'}
      size="lg"
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      keepMounted={false}
      onExitTransitionEnd={() => setShown(false)}
    >
      <CreateKeyForm onClose={onClose} onShown={() => setShown(true)} />
    </Modal>
  );
}

function CreateKeyForm({ onClose, onShown }: { onClose: () => void; onShown: () => void }) {
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [expiry, setExpiry] = useState<string>('never');
  const [date, setDate] = useState('');
  const [dateError, setDateError] = useState<string | null>(null);
  const [restricting, setRestricting] = useState(false);
  const [restrictions, setRestrictions] = useState(UNRESTRICTED);
  const creating = useCreateKey();
  if (creating.data) return <KeySecret created={creating.data} onDone={onClose} />;
  const submit = () => {
    setNameError(name.trim() === '' ? 'Enter a name, for example the server that will use the key.' : null);
    const undated = expiry === 'date' && date === '';
    setDateError(undated ? 'Choose the last day on which the key works.' : null);
    if (name.trim() === '' || undated || restrictions.operations.length === 0 || creating.isPending) return;
    const { operations, client_cidrs } = toRestrictionMembers(restrictions);
    const expiresAt = computeExpiry(expiry, date);
    const key: NewKey = {
      name: name.trim(),
      ...(expiresAt !== null && { expires_at: expiresAt }),
      ...(operations && { operations }),
      ...(client_cidrs && { client_cidrs }),
    };
    creating.mutate(key, { onSuccess: onShown });
  };
  return (
    <Form busy={creating.isPending} onSubmit={submit}>
      <Stack>
        <FormError error={findFormError(creating.error, ...FIELDS)} />
        <TextInput
          label="Name"
          description="Helps you tell your keys apart."
          placeholder="Checkout server"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={nameError ?? findFieldError(creating.error, 'name')}
        />
        <Group grow align="flex-start">
          <Select
            label="Expires"
            data={EXPIRIES}
            value={expiry}
            allowDeselect={false}
            onChange={(value) => setExpiry(value ?? 'never')}
            error={expiry === 'date' ? undefined : findFieldError(creating.error, 'expires_at')}
          />
          {expiry === 'date' && (
            <TextInput
              label="Last day"
              type="date"
              min={getTomorrow()}
              value={date}
              onChange={(event) => setDate(event.currentTarget.value)}
              error={dateError ?? findFieldError(creating.error, 'expires_at')}
            />
          )}
        </Group>
        <UnstyledButton
          onClick={() => setRestricting(!restricting)}
          aria-expanded={restricting}
          c="var(--mantine-color-anchor)"
          fz="sm"
        >
          <Group gap={4} wrap="nowrap">
            <Icon name={restricting ? 'chevronDown' : 'plus'} size={15} />
            Restrict operations and networks
          </Group>
        </UnstyledButton>
        <Collapse expanded={restricting} keepMounted={false}>
          <Stack>
            <RestrictionFields
              value={restrictions}
              onChange={setRestrictions}
              errors={{
                operations: findFieldError(creating.error, 'operations'),
                clientCidrs: findFieldError(creating.error, 'client_cidrs'),
              }}
            />
          </Stack>
        </Collapse>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'date', label: 'On a date…' },
];
const DAY_MS = 86_400_000;

function computeExpiry(expiry: string, date: string): string | null {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

function getTomorrow(): string {
  return new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
}
