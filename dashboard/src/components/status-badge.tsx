/** HTTP statuses as badges. */
import { Badge } from '@mantine/core';

/** Green for 2xx, orange for 4xx, red for 5xx. */
export function StatusBadge({ status, text }: { status: number; text?: string }) {
  const color = status < 400 ? 'green' : status < 500 ? 'orange' : 'red';
  return (
    <Badge variant="light" color={color} radius="sm" className="tabular" tt="none">
      {text === undefined || text === '' ? status : `${status} ${text}`}
    </Badge>
  );
}
