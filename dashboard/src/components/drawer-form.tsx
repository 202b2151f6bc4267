/** A form in a drawer at the right, above the page. A modal only confirms what cannot be undone. */
import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './drawer-form.module.css';
import { Form } from './form.tsx';
import { FormError } from './page-states.tsx';

interface FormProps {
  /** The label of the submitting button. */
  action: string;
  busy: boolean;
  disabled?: boolean;
  /** The error of the request, above the fields. */
  error?: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Shows the fields in a drawer, with Cancel and a button that submits the form below them. */
export function DrawerForm({ title, opened, ...form }: FormProps & { title: string; opened: boolean }) {
  return (
    <SideDrawer title={title} opened={opened} onClose={form.onClose}>
      <DrawerFormContent {...form} />
    </SideDrawer>
  );
}

/** Shows the same inside of a drawer that has other contents too. */
export function DrawerFormContent({
  action,
  busy,
  disabled = false,
  error,
  onSubmit,
  onClose,
  children,
}: FormProps) {
  return (
    <Form busy={busy} onSubmit={onSubmit} className={classes.form}>
      <div className={classes.fields}>
        <FormError error={error} />
        {children}
      </div>
      <div className={classes.foot}>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={disabled}>
          {action}
        </Button>
      </div>
    </Form>
  );
}

/** Shows a drawer that fills its height. <DrawerBody> and <DrawerFooter> are its parts. */
export function SideDrawer({
  title,
  opened,
  onClose,
  onClosed,
  locked = false,
  children,
}: {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Called when the drawer is no longer visible. */
  onClosed?: () => void;
  /** Only a button closes the drawer: neither Escape nor a click beside it. */
  locked?: boolean;
  children: ReactNode;
}) {
  return (
    <Drawer
      title={title}
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      closeOnEscape={!locked}
      closeOnClickOutside={!locked}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      {children}
    </Drawer>
  );
}

/** Shows the scrolling part of a drawer. */
export function DrawerBody({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>;
}

/** Shows the buttons at the foot of a drawer. */
export function DrawerFooter({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>;
}
