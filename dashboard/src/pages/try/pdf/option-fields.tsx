/** The options of generatePdf: six below the editor, the others in a drawer. */
import { Button, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DrawerBody, SideDrawer } from '../../../components/drawer-form.tsx';
import { countMoreOptions, type PdfOptions } from './pdf-options.ts';
import classes from './workbench.module.css';

interface OptionsProps {
  options: PdfOptions;
  set: (change: Partial<PdfOptions>) => void;
}

type TextOption = Exclude<
  { [Name in keyof PdfOptions]: PdfOptions[Name] extends string ? Name : never }[keyof PdfOptions],
  'page_size' | 'orientation' | 'media' | 'margins'
>;
type SwitchOption = {
  [Name in keyof PdfOptions]: PdfOptions[Name] extends boolean ? Name : never;
}[keyof PdfOptions];

/** Shows the options that most documents need. */
export function OptionFields({ options, set }: OptionsProps) {
  const [isOpen, setOpen] = useState(false);
  const more = countMoreOptions(options);
  const isOther = options.page_width !== '' || options.page_height !== '';
  return (
    <div className={classes.options} role="group" aria-label="Options">
      <Select
        label="Page size"
        data={
          isOther ? [`${options.page_width} × ${options.page_height}`] : ['A4', 'Letter', 'Legal', 'A3', 'A5']
        }
        allowDeselect={false}
        disabled={isOther}
        value={isOther ? `${options.page_width} × ${options.page_height}` : options.page_size}
        onChange={(value) => set({ page_size: value ?? 'A4' })}
      />
      <Select
        label="Orientation"
        data={[
          { value: 'portrait', label: 'Portrait' },
          { value: 'landscape', label: 'Landscape' },
        ]}
        allowDeselect={false}
        value={options.orientation}
        onChange={(value) => set({ orientation: value ?? 'portrait' })}
      />
      <TextInput
        label="Margins"
        title="One to four lengths, as in CSS: top, right, bottom, left"
        autoComplete="off"
        value={options.margins}
        onChange={(event) => set({ margins: event.currentTarget.value })}
      />
      <div>
        <OptionSwitch name="print_background" label="Backgrounds" options={options} set={set} />
        <OptionSwitch name="tagged" label="Tagged for screen readers" options={options} set={set} />
        <OptionSwitch name="outline" label="Bookmarks" options={options} set={set} />
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          More options{more > 0 && ` (${more} set)`}
        </Button>
      </div>
      <SideDrawer title="More options" opened={isOpen} onClose={() => setOpen(false)}>
        <DrawerBody>
          <MoreOptions options={options} set={set} />
        </DrawerBody>
      </SideDrawer>
    </div>
  );
}

const TEXTS: readonly { name: TextOption; label: string; hint: string }[] = [
  { name: 'page_width', label: 'Page width', hint: 'In place of the page size: 100mm' },
  { name: 'page_height', label: 'Page height', hint: 'Together with the width: 62mm' },
  { name: 'page_ranges', label: 'Pages', hint: '1-3,5; empty for all' },
  { name: 'scale', label: 'Scale', hint: '0.1 to 2' },
  { name: 'title', label: 'Title', hint: 'Of the PDF' },
  { name: 'lang', label: 'Language', hint: 'For example pt-BR' },
  { name: 'filename', label: 'File name', hint: 'document.pdf' },
  { name: 'base_url', label: 'Base URL', hint: 'For relative links' },
  { name: 'wait_for', label: 'Wait for', hint: 'A CSS selector or milliseconds' },
  { name: 'wait_for_expression', label: 'Wait for expression', hint: 'window.ready' },
  { name: 'now', label: 'Clock', hint: '2026-11-21T09:30:00Z' },
];

function MoreOptions({ options, set }: OptionsProps) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {TEXTS.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={label}
            description={hint}
            autoComplete="off"
            value={options[name]}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
        <Select
          label="Media"
          description="The CSS media type"
          data={['print', 'screen']}
          allowDeselect={false}
          value={options.media}
          onChange={(value) => set({ media: value ?? 'print' })}
        />
      </SimpleGrid>
      <OptionSwitch name="javascript" label="Run scripts" options={options} set={set} />
      <OptionSwitch name="strict" label="Fail on warnings" options={options} set={set} />
    </Stack>
  );
}

function OptionSwitch({ name, label, options, set }: OptionsProps & { name: SwitchOption; label: string }) {
  return (
    <Switch
      label={label}
      checked={options[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  );
}
