/** What there is to know about a key at a glance. */
import { Badge, Group, Tooltip } from '@mantine/core';
import type { Key } from '../../api/types.ts';
import { operationInfo } from '../../components/operations.ts';
import { formatExact } from '../../components/times.tsx';

const STATUS = {
  active: { color: 'green', text: 'Active' },
  expiring: { color: 'orange', text: 'Ending' },
  expired: { color: 'gray', text: 'Expired' },
  revoked: { color: 'red', text: 'Revoked' },
} as const;

/** Its state, and its restrictions where it has some. */
export function KeyBadges({ apiKey }: { apiKey: Key }) {
  const status = STATUS[apiKey.status];
  return (
    <Group gap={6}>
      <Tooltip label={statusSentence(apiKey)}>
        <Badge variant="light" color={status.color} tt="none" radius="sm">
          {status.text}
        </Badge>
      </Tooltip>
      {apiKey.operations?.map((operation) => (
        <Badge key={operation} variant="light" color="brand" tt="none" radius="sm">
          {operationInfo(operation).short}
        </Badge>
      ))}
      {apiKey.client_cidrs && (
        <Tooltip label={apiKey.client_cidrs.join(', ')}>
          <Badge variant="light" color="grape" tt="none" radius="sm">
            {apiKey.client_cidrs.length === 1 ? '1 network' : `${apiKey.client_cidrs.length} networks`}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

function statusSentence(key: Key): string {
  if (key.status === 'revoked') return key.revoked_at ? `Revoked ${formatExact(key.revoked_at)}` : 'Revoked';
  if (key.expires_at === null) return 'Works until you revoke it';
  const time = formatExact(key.expires_at);
  if (key.status === 'expired') return `Ended ${time}`;
  return key.rotated_to === null ? `Works until ${time}` : `Replaced by a newer key; works until ${time}`;
}

/** "ua_live_Ab12…wxyz": enough to know a key by, not to use it. */
export function maskedKey(key: Key): string {
  return `${key.prefix}…${key.last_four}`;
}
