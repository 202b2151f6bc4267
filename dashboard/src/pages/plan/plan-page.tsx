/** The account's plan: what is used of it, all plans side by side, and how requests are counted. */
import { useQuery } from '@tanstack/react-query';
import { planQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryState, RowsLoading } from '../../components/page-states.tsx';
import { CountingRules } from './counting-rules.tsx';
import { PlanComparison } from './plan-comparison.tsx';
import { PlanFigures } from './plan-figures.tsx';

/** Shows the limits of the account and of all plans. */
export function PlanPage() {
  const plan = useQuery(planQuery);
  return (
    <>
      <PageHeader
        title="Plan and limits"
        description={
          plan.data && (
            <>
              Your account is on{' '}
              <span className="strong" style={{ textTransform: 'capitalize' }}>
                {plan.data.plan}
              </span>
              . To change it, ask the operator of this service.
            </>
          )
        }
      />
      <QueryState query={plan}>
        <RowsLoading rows={3} height={120} />
      </QueryState>
      {plan.data && (
        <>
          <PlanFigures plan={plan.data} />
          <PlanComparison plans={plan.data.plans} currentPlan={plan.data.plan} />
          <CountingRules limit={plan.data.limit_per_minute} monthlyQuota={plan.data.monthly_quota} />
        </>
      )}
    </>
  );
}
