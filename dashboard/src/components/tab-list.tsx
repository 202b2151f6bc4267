/** Tabs of texts in a bar, for code wells and the PDF editor. */
import type { KeyboardEvent } from 'react';
import classes from './tab-list.module.css';

/** One tab. */
export interface TabItem {
  value: string;
  label: string;
  /** Has a dot: its text is not empty. */
  isFilled?: boolean;
}

/**
 * Shows the tabs. `label` names them for screen readers; `panel` is the id of what they change. A tab has the
 * id `<panel>-<value>`. The arrow keys change the tab.
 */
export function TabList<Item extends TabItem>({
  label,
  panel,
  tabs,
  value,
  onChange,
}: {
  label: string;
  panel: string;
  tabs: readonly Item[];
  value: Item['value'];
  onChange: (value: Item['value']) => void;
}) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const index = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    onChange(next.value);
    document.getElementById(`${panel}-${next.value}`)?.focus();
  };
  return (
    <div className={classes.tabs} role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${panel}-${tab.value}`}
          className="focus"
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1}
          data-filled={tab.isFilled || undefined}
          onClick={() => onChange(tab.value)}
          onKeyDown={move}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
