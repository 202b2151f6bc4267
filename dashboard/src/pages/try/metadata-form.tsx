/** The form of getMetadata. */
import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changedMembers, TryForm, type TryFormProps } from './form-parts.tsx';

const DEFAULTS = { follow_redirects: true, timeout: 10_000 as number | string, details: false };

/** A URL, two switches and a time limit. */
export function MetadataForm({ busy, onSend }: TryFormProps) {
  const [url, setUrl] = useState('https://example.com/');
  const [options, setOptions] = useState(DEFAULTS);
  const set = (change: Partial<typeof DEFAULTS>) => setOptions((last) => ({ ...last, ...change }));
  return (
    <TryForm busy={busy} onSubmit={() => onSend({ url, ...changedMembers(options, DEFAULTS) })}>
      <TextInput
        label="url"
        description="The page to read: http or https, public."
        autoComplete="off"
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <NumberInput
        label="timeout"
        description="Milliseconds, 1000 to 30000."
        step={1000}
        hideControls
        value={options.timeout}
        onChange={(timeout) => set({ timeout })}
      />
      <Switch
        label="follow_redirects"
        description="Go where a redirect leads, ten times at most."
        checked={options.follow_redirects}
        onChange={(event) => set({ follow_redirects: event.currentTarget.checked })}
      />
      <Switch
        label="details"
        description="Say where the redirects ended, and more."
        checked={options.details}
        onChange={(event) => set({ details: event.currentTarget.checked })}
      />
    </TryForm>
  );
}
