/** Example calls as code. */
import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Operation, OPERATIONS } from '../../components/operations.ts';
import { useServedOperations } from '../../components/served-operations.ts';
import { Section } from '../../components/section.tsx';
import { SnippetTabs } from '../../components/snippet-tabs.tsx';
import { EXAMPLE_CALLS } from '../../components/snippets.ts';

/** Shows the examples in a card. With `secret`, the key is filled in. */
export function FirstCalls({ secret }: { secret?: string }) {
  return (
    <Section
      title="Call it from your server"
      description="Put your key into the first line, then copy and run."
    >
      <CallChoice secret={secret} />
    </Section>
  );
}

/** Shows the examples without a card. */
export function CallChoice({ secret }: { secret?: string }) {
  const { served } = useServedOperations();
  const [chosen, setChosen] = useState<Operation>('validateEmail');
  const operation = (served.find(({ id }) => id === chosen) ?? served[0] ?? OPERATIONS[0]).id;
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Operation"
        data={served.map(({ id, short }) => ({ value: id, label: short }))}
        value={operation}
        onChange={(value) => setChosen(value)}
        style={{ alignSelf: 'flex-start' }}
      />
      <SnippetTabs call={EXAMPLE_CALLS[operation]} secret={secret} />
    </Stack>
  );
}
