/** The forms of operations that take query parameters. */
import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { pickChangedMembers, TryForm, type TryFormProps } from './try-form.tsx';

/**
 * A parameter. `byDefault` is the service's default, `initial` the form's first value. `needs` is the switch
 * without which the service refuses it.
 */
type Field = { name: string; description: string } & (
  | { kind: 'text'; initial: string; byDefault?: undefined; inputMode?: 'email' | 'url' }
  | { kind: 'optional'; byDefault: ''; placeholder: string }
  | { kind: 'number'; byDefault: number; step: number }
  | { kind: 'choice'; byDefault: string; choices: readonly string[] }
  | { kind: 'switch'; byDefault: boolean; needs?: string }
);
type Values = Record<string, string | number | boolean>;

const EMAIL_FIELDS: readonly Field[] = [
  {
    name: 'email',
    kind: 'text',
    description: 'The address to validate.',
    initial: 'ann@gmial.com',
    inputMode: 'email',
  },
  {
    name: 'check_mx',
    kind: 'switch',
    description: 'Check whether the domain accepts email.',
    byDefault: true,
  },
  {
    name: 'suggest',
    kind: 'switch',
    description: 'Suggest a correction of a likely typo.',
    byDefault: true,
  },
  { name: 'details', kind: 'switch', description: 'Explain the result.', byDefault: false },
  {
    name: 'policies',
    kind: 'switch',
    description: 'Look up SPF and DMARC.',
    byDefault: false,
    needs: 'details',
  },
];

const METADATA_FIELDS: readonly Field[] = [
  {
    name: 'url',
    kind: 'text',
    description: 'A public http or https page.',
    initial: 'https://example.com/',
    inputMode: 'url',
  },
  {
    name: 'timeout',
    kind: 'number',
    description: 'In milliseconds, 1000 to 30000.',
    byDefault: 10_000,
    step: 1000,
  },
  {
    name: 'follow_redirects',
    kind: 'switch',
    description: 'Follow at most ten redirects.',
    byDefault: true,
  },
  {
    name: 'details',
    kind: 'switch',
    description: 'Add the response, authors, dates, all images and icons, feeds, tags and JSON-LD.',
    byDefault: false,
  },
  {
    name: 'render',
    kind: 'choice',
    description:
      'true: read the page after a browser has run its scripts. auto: do so only if it is empty without them.',
    byDefault: 'false',
    choices: ['false', 'true', 'auto'],
  },
  {
    name: 'probe',
    kind: 'switch',
    description: 'Check and measure favicon and image; take the next candidate if one is missing.',
    byDefault: false,
    needs: 'details',
  },
  {
    name: 'oembed',
    kind: 'switch',
    description: 'Fetch the oEmbed response of the page.',
    byDefault: false,
    needs: 'details',
  },
  {
    name: 'language',
    kind: 'optional',
    description: 'The languages to request from the site, best first.',
    byDefault: '',
    placeholder: 'de-CH, de;q=0.9',
  },
  {
    name: 'user_agent',
    kind: 'choice',
    description: 'How the service introduces itself to the site.',
    byDefault: 'bot',
    choices: ['bot', 'preview', 'browser'],
  },
  {
    name: 'max_age',
    kind: 'number',
    description: 'Accept a cached result up to this age, in seconds; 0 to 86400.',
    byDefault: 0,
    step: 60,
  },
];

/** Shows the form of validateEmail. */
export function EmailForm(props: TryFormProps) {
  return <QueryForm fields={EMAIL_FIELDS} {...props} />;
}

/** Shows the form of getMetadata. */
export function MetadataForm(props: TryFormProps) {
  return <QueryForm fields={METADATA_FIELDS} {...props} />;
}

function QueryForm({ fields, busy, onSend }: TryFormProps & { fields: readonly Field[] }) {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      fields.map((field) => [field.name, field.kind === 'text' ? field.initial : field.byDefault]),
    ),
  );
  const defaults = Object.fromEntries(fields.map(({ name, byDefault }) => [name, byDefault]));
  const lacksNeeded = (field: Field) =>
    field.kind === 'switch' && field.needs !== undefined && values[field.needs] !== true;
  const lacking = new Set(fields.filter(lacksNeeded).map(({ name }) => name));
  // What a field is set to is kept, for when the switch that it needs is on again.
  const usable = Object.fromEntries(Object.entries(values).filter(([name]) => !lacking.has(name)));
  return (
    <TryForm busy={busy} onSubmit={() => onSend(pickChangedMembers(usable, defaults))}>
      {fields.map((field) => (
        <QueryField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          isDisabled={lacking.has(field.name)}
          onChange={(value) => setValues((last) => ({ ...last, [field.name]: value }))}
        />
      ))}
    </TryForm>
  );
}

function QueryField({
  field,
  value,
  isDisabled,
  onChange,
}: {
  field: Field;
  value: Values[string];
  isDisabled: boolean;
  onChange: (value: Values[string]) => void;
}) {
  const { name: label, description, kind } = field;
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        description={isDisabled ? `${description} Turn on ${field.needs} first.` : description}
        disabled={isDisabled}
        checked={value === true && !isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <Select
        label={label}
        description={description}
        data={field.choices}
        allowDeselect={false}
        value={String(value)}
        onChange={(choice) => onChange(choice ?? field.byDefault)}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        label={label}
        description={description}
        step={field.step}
        hideControls
        value={typeof value === 'boolean' ? '' : value}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      label={label}
      description={description}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={kind === 'text' ? field.inputMode : undefined}
      placeholder={kind === 'optional' ? field.placeholder : undefined}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
