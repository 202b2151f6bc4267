/** The limit of the current minute at the side of every page. */
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/queries.ts';
import { formatNumber } from './format.ts';
import { Meter } from './meter.tsx';
import classes from './navigation.module.css';

/** Shows the requests of the busiest key in this minute. Shows nothing until they are loaded. */
export function MinuteMeter() {
  const minute = useQuery(overviewQuery).data?.minute;
  if (!minute) return null;
  const { used_max_key: used, limit } = minute;
  return (
    <div className={classes.meter}>
      <div>
        <span>This minute</span>
        <span className="strong tabular">
          {formatNumber(used)} of {formatNumber(limit)}
        </span>
      </div>
      <Meter used={used} limit={limit} label="Requests of the busiest key this minute" />
    </div>
  );
}
