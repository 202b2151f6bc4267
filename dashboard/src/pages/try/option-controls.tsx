/** The controls of an operation's options, as the service's table of options describes them. */
import { NumberInput, Select, TextInput } from '@mantine/core';
import { Disclosure } from '../../components/disclosure.tsx';
import { ParameterSwitch } from './ask-bar.tsx';
import type { OptionControl, OptionValues } from './option-values.ts';
import classes from './options.module.css';

export interface OptionControlsProps {
  controls: readonly OptionControl[];
  values: OptionValues;
  set: (change: OptionValues) => void;
}

/** Shows the switches, in a line. */
export function OptionSwitches({ controls, values, set }: OptionControlsProps) {
  return controls
    .filter(({ type, isMore }) => type === 'boolean' && !isMore)
    .map(({ name, hint, needs }) => (
      <ParameterSwitch
        key={name}
        name={name}
        title={hint}
        checked={values[name] === true}
        reason={needs === undefined || values[needs] === true ? undefined : `Turn on ${needs} first`}
        onChange={(value) => set({ [name]: value })}
      />
    ));
}

/** Shows the fields of less common options behind "More options"; nothing if there are none. */
export function MoreOptionFields({ controls, values, set }: OptionControlsProps) {
  const fields = controls.filter(({ isMore }) => isMore);
  if (fields.length === 0) return null;
  return (
    <div className={classes.more}>
      <Disclosure label="More options">
        <div className={classes.fields}>
          {fields.map((control) => (
            <OptionField
              key={control.name}
              control={control}
              value={values[control.name] ?? ''}
              onChange={(value) => set({ [control.name]: value })}
            />
          ))}
        </div>
      </Disclosure>
    </div>
  );
}

function OptionField({
  control,
  value,
  onChange,
}: {
  control: OptionControl;
  value: boolean | number | string;
  onChange: (value: number | string) => void;
}) {
  const { name, hint, type, values, placeholder } = control;
  const texts = { label: name, description: hint, placeholder };
  if (values)
    return (
      <Select
        {...texts}
        data={[...values]}
        allowDeselect={false}
        value={String(value)}
        onChange={(chosen) => onChange(chosen ?? String(control.default))}
      />
    );
  if (type === 'integer')
    return <NumberInput {...texts} hideControls value={value as number | string} onChange={onChange} />;
  return (
    <TextInput
      {...texts}
      autoComplete="off"
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
