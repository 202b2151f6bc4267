/** The documents that follow the first in one PDF. */
import { Button, Group } from '@mantine/core';
import { CodeField, OptionGroup, type OptionsProps } from './option-inputs.tsx';

const MAX_DOCUMENTS = 19;

/** Shows a field for the HTML of each document. */
export function MoreDocuments({ options, set }: OptionsProps) {
  const { documents } = options;
  return (
    <OptionGroup title="More documents">
      {documents.map((html, index) => (
        <CodeField
          // Documents have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          label={`Document ${index + 2}`}
          hint="With A4 portrait as above, its own @page sets its sheet"
          value={html}
          onChange={(value) => set({ documents: documents.with(index, value) })}
        />
      ))}
      <Group gap="sm">
        <Button
          variant="default"
          size="compact-sm"
          disabled={documents.length >= MAX_DOCUMENTS}
          onClick={() => set({ documents: [...documents, ''] })}
        >
          Add a document
        </Button>
        {documents.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => set({ documents: documents.slice(0, -1) })}
          >
            Remove the last
          </Button>
        )}
      </Group>
    </OptionGroup>
  );
}
