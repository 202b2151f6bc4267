/** A setting: its name and one sentence at the left, its controls at the right. */
import { type ReactNode, useId } from 'react';
import { Icon, type IconName } from '../../components/icon.tsx';
import classes from './settings-section.module.css';

/** Shows one setting across the sheet. `action` is below the sentence. */
export function SettingsSection({
  title,
  description,
  action,
  children,
}: {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`bleed ${classes.section ?? ''}`} aria-labelledby={id}>
      <div className={classes.about}>
        <h2 id={id}>{title}</h2>
        {description !== undefined && <p>{description}</p>}
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </div>
      <div className={classes.control}>{children}</div>
    </section>
  );
}

/** Shows its <Item>s with a hairline between them. */
export function Items({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={classes.items} aria-label={label}>
      {children}
    </ul>
  );
}

/** Shows one line of a setting: a name with a tag, a note below, and buttons at the right. */
export function Item({
  icon,
  name,
  tag,
  note,
  title,
  children,
}: {
  icon?: IconName;
  name: ReactNode;
  tag?: ReactNode;
  note?: ReactNode;
  /** The tooltip of the name. */
  title?: string | undefined;
  /** The controls at the right. */
  children?: ReactNode;
}) {
  return (
    <li className={classes.item}>
      {icon && <Icon name={icon} />}
      <div className={classes.text}>
        <div className={classes.name} title={title}>
          <span>{name}</span>
          {tag}
        </div>
        {note !== undefined && <div className={classes.note}>{note}</div>}
      </div>
      {children !== undefined && <div className={classes.buttons}>{children}</div>}
    </li>
  );
}
