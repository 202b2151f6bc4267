/** A form in a drawer at the right, above the page. A modal only confirms what cannot be undone. */
import { Button, Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './drawer-form.module.css';
import { Form } from './form.tsx';
import { FormError } from './page-states.tsx';

/** The fields of a form, and what submits them. */
interface DrawerFormProps {
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

/** Shows the fields with Cancel and a button that submits the form below them. */
export function DrawerForm({
  title,
  opened,
  ...form
}: DrawerFormProps & {
  title: string;
  opened: boolean;
}) {
  return (
    <SideDrawer title={title} opened={opened} onClose={form.onClose}>
      <DrawerStep {...form} />
    </SideDrawer>
  );
}

/** Shows one form of a <SideDrawer> that has several, one after the other. */
export function DrawerStep({
  action,
  busy,
  disabled = false,
  error,
  onSubmit,
  onClose,
  children,
}: DrawerFormProps) {
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
  children,
}: {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Drawer
      title={title}
      opened={opened}
      onClose={onClose}
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
