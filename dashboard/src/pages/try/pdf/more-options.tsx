/** The options of generatePdf in the drawer, in groups. */
import { SimpleGrid, Stack } from '@mantine/core';
import { useId } from 'react';
import type { OptionControl } from '../option-values.ts';
import { OptionInput, type OptionsProps } from './option-inputs.tsx';
import { getKind, isShown, PDF_CONTROLS } from './pdf-options.ts';
import classes from './workbench.module.css';

/** The groups that come first, which are used most. The others follow in the order of their options. */
const FIRST_GROUPS = ['Page and rendering', 'Document info', 'Watermark and first page', 'Template'];

/** Lists the headings with their options. */
function listGroups(): readonly [title: string, controls: readonly OptionControl[]][] {
  const grouped = PDF_CONTROLS.filter(({ group }) => group !== undefined);
  const titles = new Set([...FIRST_GROUPS, ...grouped.map(({ group }) => group ?? '')]);
  return [...titles].map((title) => [title, grouped.filter(({ group }) => group === title)]);
}

/** Shows all options that are not below the editor. */
export function MoreOptions(props: OptionsProps) {
  return (
    <Stack gap="lg">
      {listGroups().map(([title, controls]) => (
        <OptionGroup key={title} title={title} controls={controls} {...props} />
      ))}
    </Stack>
  );
}

/** Shows the options of a group under its heading: those of one line, the switches, the others. */
function OptionGroup({
  title,
  controls,
  ...props
}: OptionsProps & { title: string; controls: readonly OptionControl[] }) {
  const id = useId();
  const shown = controls.filter((control) => isShown(control, props.values));
  const lines = shown.filter(isLine);
  const switches = shown.filter((control) => getKind(control) === 'switch');
  const others = shown.filter((control) => !lines.includes(control) && !switches.includes(control));
  const show = (control: OptionControl) => <OptionInput key={control.name} control={control} {...props} />;
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {shown.map(
        ({ name, list, hint }) => list !== undefined && hint !== undefined && <p key={name}>{hint}</p>,
      )}
      {lines.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {lines.map(show)}
        </SimpleGrid>
      )}
      {switches.map(show)}
      {others.map(show)}
    </section>
  );
}

/** Checks whether the input of an option is one line, which may be beside another. */
function isLine(control: OptionControl): boolean {
  const kind = getKind(control);
  return kind === 'line' || (kind === 'choice' && control.needs === undefined);
}
