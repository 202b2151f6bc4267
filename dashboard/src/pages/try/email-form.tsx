/** The form of validateEmail. */
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changedMembers, TryForm, type TryFormProps } from './form-parts.tsx';

const DEFAULTS = { check_mx: true, suggest: true, details: false };

/** An address and three switches. */
export function EmailForm({ busy, onSend }: TryFormProps) {
  const [email, setEmail] = useState('ann@gmial.com');
  const [options, setOptions] = useState(DEFAULTS);
  const set = (change: Partial<typeof DEFAULTS>) => setOptions((last) => ({ ...last, ...change }));
  return (
    <TryForm busy={busy} onSubmit={() => onSend({ email, ...changedMembers(options, DEFAULTS) })}>
      <TextInput
        label="email"
        description="The address to validate."
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Switch
        label="check_mx"
        description="Look up whether the domain takes mail."
        checked={options.check_mx}
        onChange={(event) => set({ check_mx: event.currentTarget.checked })}
      />
      <Switch
        label="suggest"
        description="Suggest the address that was meant."
        checked={options.suggest}
        onChange={(event) => set({ suggest: event.currentTarget.checked })}
      />
      <Switch
        label="details"
        description="Say how the answer came about."
        checked={options.details}
        onChange={(event) => set({ details: event.currentTarget.checked })}
      />
    </TryForm>
  );
}
