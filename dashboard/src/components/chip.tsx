/** Filters above a list: chips that open a menu of choices. */
import { Menu, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './chip.module.css';
import { Icon, type IconName } from './icon.tsx';

/** Lays out filters, and what is right of them, in one line that wraps. */
export function FilterBar({ label = 'Filters', children }: { label?: string; children: ReactNode }) {
  return (
    <div className={classes.bar} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** One choice of a filter. */
export interface FilterChoice {
  value: string;
  label: string;
}

/**
 * Shows a filter. Unset, it is dashed and has a plus; set, it shows its choice and a button that clears it. A
 * click opens the choices. With an `icon` it is always set: its first choice stands for undefined.
 */
export function FilterChip({
  label,
  choices,
  value,
  onChange,
  icon,
}: {
  label: string;
  choices: readonly FilterChoice[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  icon?: IconName;
}) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Chip
      label={label}
      shown={chosen?.label}
      icon={icon}
      onClear={icon === undefined ? () => onChange(undefined) : undefined}
    >
      {choices.map((choice) => (
        <Menu.Item
          key={choice.value}
          rightSection={choice.value === value ? <Icon name="check" size={14} /> : undefined}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </Menu.Item>
      ))}
    </Chip>
  );
}

/** Shows a filter of which several values can be chosen. The choices stay open. */
export function FilterListChip({
  label,
  choices,
  values,
  onChange,
}: {
  label: string;
  choices: readonly FilterChoice[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const chosen = choices.filter(({ value }) => values.includes(value));
  const shown =
    chosen.length > 2
      ? `${chosen.length} of ${choices.length}`
      : chosen.map(({ label: name }) => name).join(', ');
  return (
    <Chip label={label} shown={shown === '' ? undefined : shown} onClear={() => onChange([])}>
      {choices.map((choice) => (
        <Menu.CheckboxItem
          key={choice.value}
          checked={values.includes(choice.value)}
          onChange={(checked) =>
            onChange(checked ? [...values, choice.value] : values.filter((value) => value !== choice.value))
          }
        >
          {choice.label}
        </Menu.CheckboxItem>
      ))}
    </Chip>
  );
}

function Chip({
  label,
  shown,
  icon,
  onClear,
  children,
}: {
  label: string;
  shown: string | undefined;
  icon?: IconName | undefined;
  onClear?: (() => void) | undefined;
  children: ReactNode;
}) {
  const isSet = shown !== undefined;
  return (
    <span className={isSet ? classes.set : undefined}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={`focus ${classes.chip ?? ''}`}>
            {(icon ?? (isSet ? undefined : 'plus')) && <Icon name={icon ?? 'plus'} size={13} />}
            {icon === undefined ? label : <VisuallyHidden>{label}</VisuallyHidden>}
            {isSet && <b>{shown}</b>}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {children}
        </Menu.Dropdown>
      </Menu>
      {isSet && onClear && (
        <button
          type="button"
          className={`focus ${classes.remove ?? ''}`}
          aria-label={`Remove the filter ${label}`}
          onClick={onClear}
        >
          <Icon name="close" size={13} />
        </button>
      )}
    </span>
  );
}
