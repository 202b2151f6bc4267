/** Names and values of one object, such as a request in the inspector. */
import type { ReactNode } from 'react';
import { CopyIcon } from './copy-button.tsx';
import classes from './facts.module.css';

/** Shows its <Fact>s with a hairline between them. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** Shows one name with its value. `copy` is the text of a copy button at the right. */
export function Fact({ label, copy, children }: { label: string; copy?: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {copy === undefined ? (
          children
        ) : (
          <span className={classes.copied}>
            <span>{children}</span>
            <CopyIcon text={copy} what={`the ${label.toLowerCase()}`} />
          </span>
        )}
      </dd>
    </>
  );
}
