/** The options of generatePdf in the drawer, in groups. */
import { Select, Stack } from '@mantine/core';
import { ArchiveGroup, DataGroup, InfoGroup, LayersGroup, SecurityGroup } from './finishing-options.tsx';
import { MoreDocuments } from './more-documents.tsx';
import {
  type LineField,
  LineFields,
  OptionGroup,
  type OptionsProps,
  OptionSwitch,
} from './option-inputs.tsx';

const PAGE_FIELDS: readonly LineField[] = [
  { name: 'page_width', label: 'Page width', hint: 'In place of the page size: 100mm' },
  { name: 'page_height', label: 'Page height', hint: 'Together with the width: 62mm' },
  { name: 'page_ranges', label: 'Pages', hint: '1-3,5; empty for all' },
  { name: 'scale', label: 'Scale', hint: '0.1 to 2' },
  { name: 'filename', label: 'File name', hint: 'For example invoice.pdf' },
  { name: 'base_url', label: 'Base URL', hint: 'For relative links' },
  { name: 'wait_for', label: 'Wait for', hint: 'A CSS selector or milliseconds' },
  { name: 'wait_for_expression', label: 'Wait for expression', hint: 'For example window.ready' },
  { name: 'now', label: 'Clock of the page', hint: '2026-11-21T09:30:00Z' },
];

/** Shows all options that are not below the editor. */
export function MoreOptions({ options, set }: OptionsProps) {
  return (
    <Stack gap="lg">
      <OptionGroup title="Page and rendering">
        <LineFields fields={PAGE_FIELDS} options={options} set={set}>
          <Select
            label="Media"
            description="The CSS media type"
            data={['print', 'screen']}
            allowDeselect={false}
            value={options.media}
            onChange={(value) => set({ media: value ?? 'print' })}
          />
        </LineFields>
        <OptionSwitch name="javascript" label="Run scripts" options={options} set={set} />
        <OptionSwitch name="strict" label="Fail on warnings" options={options} set={set} />
      </OptionGroup>
      <InfoGroup options={options} set={set} />
      <LayersGroup options={options} set={set} />
      <DataGroup options={options} set={set} />
      <MoreDocuments options={options} set={set} />
      <SecurityGroup options={options} set={set} />
      <ArchiveGroup options={options} set={set} />
    </Stack>
  );
}
