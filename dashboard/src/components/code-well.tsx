/** Code in several languages: one well, a tab each, and a copy button. */
import { type ReactNode, useId } from 'react';
import classes from './code-block.module.css';
import { CopyIcon } from './copy-button.tsx';
import { highlightCode, type Language } from './highlight-code.tsx';
import { TabList } from './tab-list.tsx';

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
  return (
    <div className={classes.block} data-code>
      <div className={classes.bar}>
        <TabList label={label} panel={id} tabs={tabs} value={chosen.value} onChange={onChange} />
        <div className={classes.actions}>
          {actions}
          <CopyIcon text={chosen.code} what={`the code in ${chosen.label}`} />
        </div>
      </div>
      <pre
        className={classes.code}
        id={id}
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
