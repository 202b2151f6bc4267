/** Filters above a list: chips that open a menu of choices. */
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './chip.module.css';
import { Icon } from './icon.tsx';

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
 * click opens the choices.
 */
export function FilterChip({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly FilterChoice[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <span className={chosen && classes.set}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={`focus ${classes.chip ?? ''}`}>
            {chosen ? (
              <>
                {label} <b>{chosen.label}</b>
              </>
            ) : (
              <>
                <Icon name="plus" size={13} />
                {label}
              </>
            )}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {choices.map((choice) => (
            <Menu.Item
              key={choice.value}
              rightSection={choice.value === value ? <Icon name="check" size={14} /> : undefined}
              onClick={() => onChange(choice.value)}
            >
              {choice.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <button
          type="button"
          className={`focus ${classes.remove ?? ''}`}
          aria-label={`Remove the filter ${label}`}
          onClick={() => onChange(undefined)}
        >
          <Icon name="close" size={13} />
        </button>
      )}
    </span>
  );
}
