/** Inputs of the options of generatePdf, by the names of the options. */
import { Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { PdfOptions } from './pdf-options.ts';
import classes from './workbench.module.css';

export interface OptionsProps {
  options: PdfOptions;
  set: (change: Partial<PdfOptions>) => void;
}

type NamesOf<T> = { [Name in keyof PdfOptions]: PdfOptions[Name] extends T ? Name : never }[keyof PdfOptions];

/** A field of one line. */
export interface LineField {
  name: NamesOf<string>;
  label: string;
  hint: string;
  isSecret?: boolean;
}

/** Shows fields of a group under its heading. */
export function OptionGroup({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </section>
  );
}

/** Shows fields of one line, two beside each other. */
export function LineFields({
  fields,
  options,
  set,
  children,
}: OptionsProps & { fields: readonly LineField[]; children?: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {fields.map(({ name, label, hint, isSecret }) => (
        <TextInput
          key={name}
          type={isSecret === true ? 'password' : 'text'}
          label={label}
          description={hint}
          autoComplete={isSecret === true ? 'new-password' : 'off'}
          value={options[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
      {children}
    </SimpleGrid>
  );
}

/** Shows a field of code: HTML, XML or JSON. */
export function CodeField({
  label,
  hint,
  value,
  error,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <Textarea
      label={label}
      description={hint}
      error={error}
      className={classes.code ?? ''}
      rows={4}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Shows a field with the values that an option may have. */
export function ChoiceField({
  name,
  label,
  data,
  options,
  set,
}: OptionsProps & {
  name: NamesOf<string>;
  label: string;
  data: readonly (string | { value: string; label: string })[];
}) {
  return (
    <Select
      label={label}
      data={[...data]}
      allowDeselect={false}
      value={options[name]}
      onChange={(value) => value !== null && set({ [name]: value })}
    />
  );
}

export function OptionSwitch({
  name,
  label,
  options,
  set,
}: OptionsProps & { name: NamesOf<boolean>; label: string }) {
  return (
    <Switch
      label={label}
      checked={options[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  );
}
