/** What the three forms share. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';

/** What each form is given: whether a call is under way, and where its members go. */
export interface TryFormProps {
  busy: boolean;
  onSend: (members: Record<string, unknown>) => void;
}

/** A form that never leaves the page, with its button at the end. */
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

/** The members that differ from what the service takes by default, so that the call stays as short as it can be. */
export function changedMembers(
  values: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== '' && value !== null && value !== defaults[name],
    ),
  );
}
