/** Parts that the three forms share. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';

/** The props of each form. `busy` is true while a call is in progress. */
export interface TryFormProps {
  busy: boolean;
  onSend: (members: Record<string, unknown>) => void;
}

/** Shows the fields with a Send button. */
export function TryForm({
  busy,
  onSubmit,
  children,
}: {
  busy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <Form busy={busy} onSubmit={onSubmit} style={{ display: 'grid', gap: 16 }}>
      {children}
      <Button
        type="submit"
        loading={busy}
        leftSection={<Icon name="send" size={16} />}
        style={{ justifySelf: 'start' }}
      >
        Send
      </Button>
    </Form>
  );
}

/** Returns the members that differ from the service's defaults, which keeps the call short. */
export function pickChangedMembers(
  values: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== '' && value !== null && value !== defaults[name],
    ),
  );
}
