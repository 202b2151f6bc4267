/** The options of generatePdf: six below the editor, the others in a drawer. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DrawerBody, SideDrawer } from '../../../components/drawer-form.tsx';
import { MoreOptions } from './more-options.tsx';
import { type OptionsProps, OptionSwitch } from './option-inputs.tsx';
import { countMoreOptions } from './pdf-options.ts';
import classes from './workbench.module.css';

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
