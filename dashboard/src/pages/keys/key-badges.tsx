/** The status and restrictions of a key as badges. */
import { Badge, Group, Tooltip } from '@mantine/core';
import type { Key } from '../../api/types.ts';
import { getOperation } from '../../components/operations.ts';
import { formatExact } from '../../components/format.ts';

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
        <Badge variant="light" color={status.color} tt="none" radius="sm">
          {status.text}
        </Badge>
      </Tooltip>
      {apiKey.operations?.map((operation) => (
        <Badge key={operation} variant="light" color="brand" tt="none" radius="sm">
          {getOperation(operation).short}
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

function describeStatus(key: Key): string {
  if (key.status === 'revoked') return key.revoked_at ? `Revoked ${formatExact(key.revoked_at)}` : 'Revoked';
  if (key.expires_at === null) return 'Works until you revoke it';
  const time = formatExact(key.expires_at);
  if (key.status === 'expired') return `Expired ${time}`;
  return key.rotated_to === null ? `Works until ${time}` : `Replaced by a new key; works until ${time}`;
}

/** Formats a key without its secret part: "ua_live_Ab12…wxyz". */
export function formatMaskedKey(key: Key): string {
  return `${key.prefix}…${key.last_four}`;
}
