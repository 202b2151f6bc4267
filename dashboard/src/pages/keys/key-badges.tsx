/** The status and restrictions of a key as badges. */
import { Badge, Group, Tooltip } from '@mantine/core';
import type { Key } from '../../api/types.ts';
import { getOperation } from '../../components/operations.ts';
import { formatCount, formatExact } from '../../components/format.ts';

const STATUS = {
  active: { color: 'green', text: 'Active' },
  expiring: { color: 'orange', text: 'Expiring' },
  expired: { color: 'gray', text: 'Expired' },
  revoked: { color: 'red', text: 'Revoked' },
} as const;

/** Shows the status, and the restrictions if there are any. */
export function KeyBadges({ apiKey }: { apiKey: Key }) {
  const status = STATUS[apiKey.status];
  return (
    <Group gap={6}>
      <Tooltip label={describeStatus(apiKey)}>
        <Badge color={status.color}>{status.text}</Badge>
      </Tooltip>
      {apiKey.operations?.map((operation) => (
        <Badge key={operation} color="gray">
          {getOperation(operation).short}
        </Badge>
      ))}
      {apiKey.client_cidrs && (
        <Tooltip label={apiKey.client_cidrs.join(', ')}>
          <Badge color="gray">{formatCount(apiKey.client_cidrs.length, 'network')}</Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function describeStatus(key: Key): string {
  if (key.status === 'revoked') return key.revoked_at ? `Revoked ${formatExact(key.revoked_at)}` : 'Revoked';
  if (key.expires_at === null) return 'Works until you revoke it';
  const time = formatExact(key.expires_at);
  if (key.status === 'expired') return `Expired ${time}`;
  return key.rotated_to === null ? `Works until ${time}` : `Replaced by a new key; works until ${time}`;
}
