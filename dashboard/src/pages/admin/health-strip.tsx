/** The health of every part at a glance. */
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminHealthQuery } from '../../api/admin-queries.ts';
import { LoadError } from '../../components/page-states.tsx';
import { State } from '../../components/state.tsx';
import classes from './admin-page.module.css';
import { describeHealth } from './describe-health.ts';

/** Shows one cell per part. It is updated while the page is open. */
export function HealthStrip() {
  const health = useQuery(adminHealthQuery);
  if (health.isError) return <LoadError error={health.error} retry={() => void health.refetch()} />;
  if (!health.data) return <Skeleton height={66} />;
  return (
    <ul className={classes.health} aria-label="Health of the parts">
      {describeHealth(health.data).map(({ name, meaning, word, detail, reason }) => (
        <li key={name}>
          <State meaning={meaning}>
            {name}
            <VisuallyHidden>: {word}</VisuallyHidden>
          </State>
          <span className={`${classes.detail ?? ''} truncated`} title={reason ?? detail}>
            {detail}
          </span>
        </li>
      ))}
    </ul>
  );
}
