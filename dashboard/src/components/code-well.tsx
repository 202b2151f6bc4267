/** Code in several languages: one well, a tab each, and a copy button. */
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import classes from './code-block.module.css';
import { CopyIcon } from './copy-button.tsx';
import { highlightCode, type Language } from './highlight-code.tsx';

/** One tab: its label and code. */
export interface CodeTab {
  value: string;
  label: string;
  code: string;
  language?: Language;
}

/**
 * Shows the code of the chosen tab. `label` names the tabs for screen readers; `actions` are left of the copy
 * button. The arrow keys change the tab.
 */
export function CodeWell({
  label,
  tabs,
  value,
  onChange,
  actions,
}: {
  label: string;
  tabs: readonly CodeTab[];
  value: string;
  onChange: (value: string) => void;
  actions?: ReactNode;
}) {
  const id = useId();
  const chosen = tabs.find((tab) => tab.value === value) ?? tabs[0];
  if (!chosen) return null;
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <div className={classes.block} data-code>
      <div className={classes.bar}>
        <div className={classes.tabs} role="tablist" aria-label={label}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              className="focus"
              aria-selected={tab === chosen}
              aria-controls={`${id}-code`}
              tabIndex={tab === chosen ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
            >
              {tab.label}
            </button>
          ))}
        </div>
        <div className={classes.actions}>
          {actions}
          <CopyIcon text={chosen.code} what={`the code in ${chosen.label}`} />
        </div>
      </div>
      <pre
        className={classes.code}
        id={`${id}-code`}
        role="tabpanel"
        // A scrollable region must be focusable (axe: scrollable-region-focusable).
        tabIndex={0}
        aria-labelledby={`${id}-${chosen.value}`}
      >
        <code>{highlightCode(chosen.code, chosen.language ?? 'code')}</code>
      </pre>
    </div>
  );
}
