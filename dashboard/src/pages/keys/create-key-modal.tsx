/** The drawer that creates a key and shows its secret once. */
import { Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findFieldError, findFormError } from '../../api/request.ts';
import { DrawerFormContent } from '../../components/drawer-form.tsx';
import { KeyCreated } from './key-created.tsx';
import { computeExpiry, EXPIRIES, type Expiry, formatTomorrow, NO_EXPIRY } from './key-expiry.ts';
import { useCreateKey } from './key-mutations.ts';
import { RestrictionFields, toRestrictionMembers, UNRESTRICTED } from './key-restrictions.tsx';
import { SecretDrawer } from './secret-drawer.tsx';

const FIELDS = ['name', 'expires_at', 'operations', 'client_cidrs'];

/** Shows an empty form when opened. */
export function CreateKeyModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SecretDrawer opened={opened} onClose={onClose} title="Create key">
      {(onShown) => <CreateKeyForm onClose={onClose} onShown={onShown} />}
    </SecretDrawer>
  );
}

function CreateKeyForm({ onClose, onShown }: { onClose: () => void; onShown: () => void }) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState(NO_EXPIRY);
  const [restrictions, setRestrictions] = useState(UNRESTRICTED);
  const [problems, setProblems] = useState<{ name?: string | undefined; date?: string | undefined }>({});
  const creating = useCreateKey();
  if (creating.data) return <KeyCreated created={creating.data} onDone={onClose} />;
  const submit = () => {
    const expiresAt = computeExpiry(expiry, Date.now());
    const found = {
      name: name.trim() === '' ? 'Enter a name, for example the server that will use the key.' : undefined,
      date: expiresAt === undefined ? 'Choose the last day on which the key works.' : undefined,
    };
    setProblems(found);
    if (found.name || found.date || restrictions.operations.length === 0) return;
    const { operations, client_cidrs } = toRestrictionMembers(restrictions);
    creating.mutate(
      {
        name: name.trim(),
        ...(expiresAt && { expires_at: expiresAt }),
        ...(operations && { operations }),
        ...(client_cidrs && { client_cidrs }),
      },
      { onSuccess: onShown },
    );
  };
  return (
    <DrawerFormContent
      action="Create key"
      busy={creating.isPending}
      error={findFormError(creating.error, ...FIELDS)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Helps you tell your keys apart, such as the server that uses it."
        placeholder="checkout-prod"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.name ?? findFieldError(creating.error, 'name')}
      />
      <RestrictionFields value={restrictions} onChange={setRestrictions} error={creating.error} />
      <ExpiryFields
        value={expiry}
        onChange={setExpiry}
        error={problems.date ?? findFieldError(creating.error, 'expires_at')}
      />
    </DrawerFormContent>
  );
}

function ExpiryFields({
  value,
  onChange,
  error,
}: {
  value: Expiry;
  onChange: (value: Expiry) => void;
  error: string | undefined;
}) {
  const isDate = value.choice === 'date';
  const [tomorrow] = useState(() => formatTomorrow(Date.now()));
  return (
    <Group grow align="flex-start">
      <Select
        label="Expires"
        data={EXPIRIES}
        value={value.choice}
        allowDeselect={false}
        onChange={(choice) => onChange({ ...value, choice: choice ?? NO_EXPIRY.choice })}
        error={isDate ? undefined : error}
      />
      {isDate && (
        <TextInput
          label="Last day"
          type="date"
          min={tomorrow}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
          error={error}
        />
      )}
    </Group>
  );
}
