/** Example calls as code. */
import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Operation, OPERATIONS } from '../../components/operations.ts';
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
  const [operation, setOperation] = useState<Operation>('validateEmail');
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Operation"
        data={OPERATIONS.map(({ id, short }) => ({ value: id, label: short }))}
        value={operation}
        onChange={(value) => setOperation(value)}
        style={{ alignSelf: 'flex-start' }}
      />
      <SnippetTabs call={EXAMPLE_CALLS[operation]} secret={secret} />
    </Stack>
  );
}
