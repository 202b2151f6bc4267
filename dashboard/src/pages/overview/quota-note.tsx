/** A notice on the overview when the quota of the month is nearly used up, or is. */
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuotaQuery } from '../../api/usage-queries.ts';
import { Icon } from '../../components/icon.tsx';
import { describeQuota } from '../../components/month-pace.ts';
import { useClock } from '../../components/relative-time.tsx';

/** Shows the notice; nothing below 80% and without a quota. */
export function QuotaNote() {
  const use = useQuery(usageQuotaQuery).data;
  // As text: the notice changes only when its words do.
  const text = useClock((nowMs) => (use ? (describeQuota(use, use.quota, nowMs)?.text ?? '') : ''));
  if (!use || use.quota === null || text === '') return null;
  const isUsedUp = use.used >= use.quota;
  return (
    <Alert color={isUsedUp ? 'red' : 'orange'} icon={<Icon name="alertTriangle" />} mb="md" role="status">
      <Text size="sm">
        {text} <Link to="/usage">See the usage</Link>
      </Text>
    </Alert>
  );
}
