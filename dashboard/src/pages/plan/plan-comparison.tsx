/** All plans side by side. */
import { VisuallyHidden } from '@mantine/core';
import type { PlanTerms } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import classes from './plan.module.css';

type Limit = readonly [name: string, format: (plan: PlanTerms) => string];

const LIMITS: readonly Limit[] = [
  ['Requests per minute, each key', (plan) => formatNumber(plan.limit_per_minute)],
  ['Documents and pages rendered at once', ({ shares }) => formatNumber(shares.browser_slots)],
  ['Other requests at once', ({ shares }) => formatNumber(shares.other_requests)],
  ['Pages fetched at once', ({ shares }) => formatNumber(shares.page_connections)],
  ['Request bodies in flight', ({ shares }) => `${formatNumber(shares.body_megabytes)} MB`],
];

const MONTH: Limit = [
  'Requests per month, all keys',
  ({ monthly_quota: quota }) => (quota === null ? 'No limit' : formatNumber(quota)),
];

/** Shows a column per plan. Marks the account's own. */
export function PlanComparison({ plans, currentPlan }: { plans: readonly PlanTerms[]; currentPlan: string }) {
  const hasQuotas = plans.some(({ monthly_quota: quota }) => quota !== null);
  const limits = hasQuotas ? [...LIMITS.slice(0, 1), MONTH, ...LIMITS.slice(1)] : LIMITS;
  const mark = ({ name }: PlanTerms) => (name === currentPlan ? classes.own : undefined);
  return (
    <Section title="Plans" hiddenTitle>
      {/* A scrollable region must be focusable (axe: scrollable-region-focusable). */}
      <div className={`focus ${classes.scroll ?? ''}`} tabIndex={0} role="region" aria-label="All plans">
        <table className={classes.plans} data-few={plans.length <= 3 || undefined} aria-label="Plans">
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>Limit</VisuallyHidden>
              </th>
              {plans.map((plan) => (
                <th key={plan.name} scope="col" className={mark(plan)}>
                  {plan.name}
                  <span>{plan.name === currentPlan ? 'Your plan' : '\u00A0'}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {limits.map(([name, format]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {plans.map((plan) => (
                  <td key={plan.name} className={mark(plan)}>
                    {format(plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>
        What runs at once is counted over all keys of an account, in each process of the service. A metadata
        request with <code>render</code> uses the same places as a PDF.
      </p>
    </Section>
  );
}
