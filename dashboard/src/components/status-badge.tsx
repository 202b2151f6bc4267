/** HTTP statuses as badges. */
import { Badge } from '@mantine/core';

/** No status that was ever sent: the log's word for a caller who did not wait (src/http/error-responses.ts). */
const HUNG_UP = 499;

/** Green for 2xx, orange for 4xx, red for 5xx. */
export function StatusBadge({ status, text }: { status: number; text?: string }) {
  const color = status < 400 ? 'green' : status < 500 ? 'orange' : 'red';
  return (
    <Badge
      variant="light"
      color={color}
      radius="sm"
      className="tabular"
      tt="none"
      title={status === HUNG_UP ? 'The caller hung up before the answer' : undefined}
    >
      {text === undefined || text === '' ? status : `${status} ${text}`}
    </Badge>
  );
}
