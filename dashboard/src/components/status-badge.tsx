/** An HTTP status as a badge. */
import { Badge } from '@mantine/core';

/** Logged if the client disconnected before a response was sent (src/http/error-responses.ts). */
const CLIENT_DISCONNECTED = 499;

/** Shows the status in green for 2xx, orange for 4xx, red for 5xx. */
export function StatusBadge({ status, text }: { status: number; text?: string }) {
  const color = status < 400 ? 'green' : status < 500 ? 'orange' : 'red';
  return (
    <Badge
      color={color}
      className="tabular"
      title={status === CLIENT_DISCONNECTED ? 'The client disconnected before the response' : undefined}
    >
      {text === undefined || text === '' ? status : `${status} ${text}`}
    </Badge>
  );
}
