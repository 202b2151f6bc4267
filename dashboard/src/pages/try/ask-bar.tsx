/** The one line that a call asks about, its button, its options and examples. */
import { Button, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../components/form.tsx';
import classes from './try.module.css';

/** Shows the field with its button; `children` are the options below it. */
export function AskBar({
  label,
  value,
  inputMode,
  button,
  busy,
  onChange,
  onSubmit,
  children,
}: {
  label: string;
  value: string;
  inputMode: 'email' | 'url';
  button: string;
  busy: boolean;
  onChange: (value: string) => void;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <Form busy={busy} onSubmit={onSubmit}>
      <div className={classes.ask}>
        <TextInput
          aria-label={label}
          size="md"
          className={classes.field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={inputMode}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={busy}>
          {button}
        </Button>
      </div>
      {children}
    </Form>
  );
}

/** Shows a switch named like the parameter that it sets. `reason` says why it cannot be used. */
export function ParameterSwitch({
  name,
  checked,
  title,
  reason,
  onChange,
}: {
  name: string;
  checked: boolean;
  title: string | undefined;
  reason?: string | undefined;
  onChange: (checked: boolean) => void;
}) {
  return (
    <Switch
      size="sm"
      label={<code>{name}</code>}
      title={reason ?? title}
      disabled={reason !== undefined}
      checked={checked && reason === undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** Shows inputs to try. */
export function Examples({
  values,
  onChoose,
}: {
  values: readonly string[];
  onChoose: (value: string) => void;
}) {
  return (
    <div className={classes.examples} role="group" aria-label="Examples">
      <span aria-hidden="true">Examples</span>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className={`focus ${classes.example ?? ''}`}
          onClick={() => onChoose(value)}
        >
          {value}
        </button>
      ))}
    </div>
  );
}
