/** Example calls as code. */
import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type Operation, OPERATIONS } from '../../components/operations.ts';
import { useServedOperations } from '../../components/served-operations.ts';
import { Section } from '../../components/section.tsx';
import { SnippetTabs } from '../../components/snippet-tabs.tsx';
import { EXAMPLE_CALLS } from '../../components/snippets.ts';
import classes from './first-steps.module.css';

/** Shows the examples. They are closed at first: an account that sees this page has called the API. */
export function FirstCalls() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="Call it from your server"
      actions={
        <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide the code' : 'Show the code'}
        </Button>
      }
    >
      {isOpen && <CallChoice />}
    </Section>
  );
}

/** Shows the example of one operation. With `secret`, the key is filled in. */
export function CallChoice({ secret }: { secret?: string | undefined }) {
  const { served } = useServedOperations();
  const [chosen, setChosen] = useState<Operation>('validateEmail');
  const operation = (served.find(({ id }) => id === chosen) ?? served[0] ?? OPERATIONS[0]).id;
  return (
    <SnippetTabs
      call={EXAMPLE_CALLS[operation]}
      secret={secret}
      actions={
        <SegmentedControl
          className={classes.operations}
          size="xs"
          aria-label="Operation"
          data={served.map(({ id, short }) => ({ value: id, label: short }))}
          value={operation}
          onChange={(value) => setChosen(value)}
        />
      }
    />
  );
}
