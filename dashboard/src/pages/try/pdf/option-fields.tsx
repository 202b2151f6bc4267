/** The options of generatePdf: those that most documents need below the editor, the others in a drawer. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { DrawerBody, SideDrawer } from '../../../components/drawer-form.tsx';
import type { OptionControl } from '../option-values.ts';
import { MoreOptions } from './more-options.tsx';
import { OptionInput, type OptionsProps } from './option-inputs.tsx';
import { countMoreOptions, getKind, PDF_CONTROLS } from './pdf-options.ts';
import classes from './workbench.module.css';

/** Lists the options of the first row. A field that sets several options is there once. */
function listFirstOptions(): readonly OptionControl[] {
  const first = PDF_CONTROLS.filter(({ group, editor }) => group === undefined && editor === undefined);
  return first.filter(
    ({ joinedAs }, index) =>
      joinedAs === undefined || first.findIndex((other) => other.joinedAs === joinedAs) === index,
  );
}

/** Shows the options that most documents need. */
export function OptionFields({ values, set }: OptionsProps) {
  const [isOpen, setOpen] = useState(false);
  const more = countMoreOptions(values);
  const first = listFirstOptions();
  const show = (control: OptionControl) => (
    <OptionInput key={control.name} control={control} values={values} set={set} />
  );
  return (
    <div className={classes.options} role="group" aria-label="Options">
      {first.filter((control) => getKind(control) !== 'switch').map(show)}
      <div>
        {first.filter((control) => getKind(control) === 'switch').map(show)}
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          More options{more > 0 && ` (${more} set)`}
        </Button>
      </div>
      <SideDrawer title="More options" opened={isOpen} onClose={() => setOpen(false)}>
        <DrawerBody>
          <MoreOptions values={values} set={set} />
        </DrawerBody>
      </SideDrawer>
    </div>
  );
}
