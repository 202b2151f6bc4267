/** Highlighted code with a copy button. */
import classes from './code-block.module.css';
import { CopyIcon } from './copy-button.tsx';
import { highlightCode, type Language } from './highlight-code.tsx';

/**
 * Shows `code` with a button that copies it, or `copied` if the shown text is shortened. `label` names it for
 * screen readers.
 */
export function CodeBlock({
  code,
  label,
  language = 'code',
  maxHeight = 480,
  wrap = false,
  copied = code,
}: {
  code: string;
  label: string;
  language?: Language;
  maxHeight?: number;
  wrap?: boolean;
  copied?: string;
}) {
  return (
    <div className={classes.block}>
      <pre
        className={wrap ? `${classes.code} ${classes.wrap}` : classes.code}
        style={{ maxHeight }}
        // A scrollable region must be focusable (axe: scrollable-region-focusable).
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <code>{highlightCode(code, language)}</code>
      </pre>
      <div className={classes.copy}>
        <CopyIcon text={copied} what={label} />
      </div>
    </div>
  );
}
