/** The documents that follow the first in one PDF. */
import { Button, Group } from '@mantine/core';
import { CodeField, OptionGroup, type OptionsProps } from './option-inputs.tsx';
import classes from './workbench.module.css';

const MAX_DOCUMENTS = 19;

/** Shows a field for the HTML of each document. */
export function MoreDocuments({ options, set }: OptionsProps) {
  const { documents } = options;
  const add = (): void => {
    const id = Math.max(0, ...documents.map((one) => one.id)) + 1;
    set({ documents: [...documents, { id, html: '' }] });
  };
  return (
    <OptionGroup title="More documents" hint="Printed after the first into the same PDF">
      {documents.map(({ id, html }, index) => (
        <div key={id} className={classes.removable}>
          <CodeField
            label={`Document ${index + 2}`}
            value={html}
            onChange={(value) => set({ documents: documents.with(index, { id, html: value }) })}
          />
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Remove document ${index + 2}`}
            onClick={() => set({ documents: documents.toSpliced(index, 1) })}
          >
            Remove
          </Button>
        </div>
      ))}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          disabled={documents.length >= MAX_DOCUMENTS}
          onClick={add}
        >
          Add a document
        </Button>
      </Group>
    </OptionGroup>
  );
}
