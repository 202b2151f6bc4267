/** Shows the object of a row beside its list: not modal, so that the list stays in use. */
import { ActionIcon } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';
import classes from './inspector.module.css';
import { isTyping } from './search-field.tsx';

/** Shows a list, and the inspector at its right if it is given. */
export function WithInspector({ inspector, children }: { inspector: ReactNode; children: ReactNode }) {
  const isOpen = inspector !== null && inspector !== undefined && inspector !== false;
  return (
    <div className={classes.split} data-open={isOpen || undefined}>
      <div className={classes.list}>{children}</div>
      {inspector}
    </div>
  );
}

/** The ways out of a row: to its neighbors, or closed. An absent neighbor disables its button. */
export interface InspectorMoves {
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
  close: () => void;
}

/**
 * Shows the inspector. The keys K and J go to the previous and next row, Escape closes it and restores the
 * focus. It is focused when it opens.
 */
export function Inspector({
  title,
  moves,
  footer,
  children,
}: {
  title: string;
  moves: InspectorMoves;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  useInspectorKeys(moves);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section ref={panel} className={classes.inspector} aria-label={title} tabIndex={-1}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <div className={classes.buttons}>
          <MoveButton icon="chevronLeft" label="Previous (K)" onClick={moves.previous} />
          <MoveButton icon="chevronRight" label="Next (J)" onClick={moves.next} />
          <MoveButton icon="close" label="Close" onClick={moves.close} />
        </div>
      </div>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.foot}>{footer}</div>}
    </section>
  );
}

function MoveButton({
  icon,
  label,
  onClick,
}: {
  icon: 'chevronLeft' | 'chevronRight' | 'close';
  label: string;
  onClick: (() => void) | undefined;
}) {
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      aria-label={label}
      title={label}
      disabled={!onClick}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
}

function useInspectorKeys({ previous, next, close }: InspectorMoves): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // A dialog or menu above has its own Escape.
    if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'j') next?.();
    else if (event.key === 'k') previous?.();
  });
}
